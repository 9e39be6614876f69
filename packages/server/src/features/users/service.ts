import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  invalid,
  OwnUserSchema,
  ParleyError,
  type User,
  type UserInput,
  UserInputSchema,
  UserSchema,
} from '@parley/protocol';
import { type Actor, actorId, anonymousId, refuseBanned, type UserEntry } from '../../auth/actor.ts';
import type { UserRow } from '../../db/rows.ts';
import type { Presence } from '../../hub/presence.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { checkValue } from '../../lib/check.ts';
import {
  applyPatch,
  checkCustomSize,
  customOf,
  type PatchBody,
  refuseReserved,
  shapeOf,
} from '../../lib/custom.ts';
import { fieldOf } from '../../lib/objects.ts';
import { type PageRequest, queryPage } from '../../query/page.ts';
import { parseSince } from '../../query/since.ts';
import type { RoleExists } from '../roles/service.ts';
import type { UserCache } from './cache.ts';
import { toUser } from './record.ts';
import { insertUser, lockUser, selectListed, updateUser, userFields } from './store.ts';

const shape = shapeOf(UserInputSchema, UserSchema, [
  ...Object.keys(OwnUserSchema.properties),
  'revoke_tokens_issued_before',
  'password',
  'token',
]);

export type UserPatch = PatchBody & { id: string; revoke_tokens_issued_before?: string | null };

type Deps = {
  kernel: Kernel;
  cache: UserCache;
  presence: Presence;
  roleExists: RoleExists;
  /** Whether the app lets the actor list people. */
  maySearch(actor: Actor): Promise<boolean>;
};

/** A client may speak of itself alone, and gives itself no role. */
const refuseOthers = (actor: Actor, ids: string[], setsRole: boolean): void => {
  if (actor.kind === 'server') return;
  if (actor.kind === 'anonymous' || ids.some((id) => id !== actorId(actor)))
    throw new ParleyError('NotAllowed', 'A client may update only its own user (update-user)');
  // Everyone sees names and pictures: a ban would otherwise be got round by them.
  refuseBanned(actor, 'update-user');
  if (setsRole)
    throw new ParleyError('NotAllowed', 'Only the server may set the role of a user (set-user-role)');
};

const publishUser = (tx: Tx, row: UserRow): void => {
  tx.stale({ what: 'user', key: row.id });
  tx.userEvent(row.id, 'user.updated', { user: toUser(row) });
};

const server: Actor = { kind: 'server', user: undefined };

/** Whether it is all known: a client that comes back introduces itself again, and nobody needs to be notified. */
const saysNothingNew = ({ row }: UserEntry, { id: _, name, image, role, ...custom }: UserInput): boolean =>
  (name === undefined || name === row.name) &&
  (image === undefined || image === row.image) &&
  (role === undefined || role === row.role) &&
  Object.entries(custom).every(([key, value]) => isDeepStrictEqual(row.data[key], value));

/** Merges what is said into the user, or makes it. */
const upsertOne = async (tx: Tx, input: UserInput, path: string): Promise<UserRow> => {
  if (input.id === anonymousId) throw invalid(`${path}.id`, `${anonymousId} is nobody's id`);
  const custom = customOf(input, shape, path);
  const made = await insertUser(tx.db, {
    id: input.id,
    name: input.name ?? null,
    image: input.image ?? null,
    role: input.role ?? 'user',
    data: JSON.stringify(custom),
    created_at: tx.now,
    updated_at: tx.now,
  });
  if (made) return made;
  const row = await lockUser(tx.db, input.id);
  if (!row || row.deleted_at !== null) throw new ParleyError('NotFound', `User ${input.id} was deleted`);
  const data = { ...row.data, ...custom };
  checkCustomSize(data, path);
  return updateUser(tx.db, input.id, {
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.image === undefined ? {} : { image: input.image }),
    ...(input.role === undefined ? {} : { role: input.role }),
    data: JSON.stringify(data),
    updated_at: tx.now,
  });
};

const patchOne = async (tx: Tx, patch: UserPatch): Promise<UserRow> => {
  const row = await lockUser(tx.db, patch.id);
  if (!row || row.deleted_at !== null) throw new ParleyError('NotFound', `No user ${patch.id}`);
  const revoke = patch.revoke_tokens_issued_before;
  const touches = patch.set !== undefined || patch.unset !== undefined || revoke === undefined;
  const { known, custom } = touches ? applyPatch(patch, row.data, shape) : { known: {}, custom: row.data };
  return updateUser(tx.db, patch.id, {
    ...known,
    ...(revoke === undefined
      ? {}
      : { revoke_tokens_issued_before: parseSince(revoke, 'users.revoke_tokens_issued_before') }),
    data: JSON.stringify(custom),
    updated_at: tx.now,
  });
};

const checkPatch = (actor: Actor, patch: UserPatch): void => {
  refuseOthers(actor, [patch.id], patch.set?.role !== undefined);
  if (patch.revoke_tokens_issued_before !== undefined && actor.kind !== 'server')
    throw new ParleyError('NotAllowed', 'Only the server may revoke tokens (revoke-tokens)');
  for (const key of ['id', 'role'])
    if (patch.unset?.includes(key)) throw invalid(`unset.${key}`, `${key} cannot be unset`);
  if (patch.set && 'id' in patch.set) throw invalid('set.id', 'id cannot be changed');
  for (const key of Object.keys(patch.set ?? {})) refuseReserved(key, shape, 'set');
  for (const key of patch.unset ?? []) refuseReserved(key, shape, 'unset');
  const { name, image } = patch.set ?? {};
  if (name !== undefined) checkValue(UserInputSchema.properties.name, name, 'set.name');
  if (image !== undefined) checkValue(UserInputSchema.properties.image, image, 'set.image');
};

/** The one order in which all calls lock users: two that name the same users must not wait for each other. */
const byId = <T extends { id: string }>(list: T[]): T[] => [...list].sort((a, b) => (a.id < b.id ? -1 : 1));

/** Whether the filter asks for people by their ids, as clients do to see who of a channel is online. */
const namesIds = (filter: unknown): boolean => {
  const id = fieldOf(filter, 'id');
  if (typeof id === 'string') return true;
  return typeof id === 'object' && id !== null && ('$in' in id || '$eq' in id);
};

const toEntry = (row: UserRow): UserEntry => ({ row, user: toUser(row) });

export class Users {
  readonly cache: UserCache;
  #deps: Deps;

  constructor(deps: Deps) {
    this.cache = deps.cache;
    this.#deps = deps;
  }

  async upsert(actor: Actor, inputs: Record<string, UserInput>): Promise<UserEntry[]> {
    const list = Object.values(inputs);
    refuseOthers(
      actor,
      list.map((input) => input.id),
      list.some((input) => input.role !== undefined),
    );
    for (const [id, input] of Object.entries(inputs)) {
      if (id !== input.id) throw invalid(`users.${id}.id`, 'must equal the key it stands under');
      await this.#checkRole(input.role, `users.${id}.role`);
    }
    return this.#writeAll(actor, byId(list), (tx, input) => upsertOne(tx, input, `users.${input.id}`));
  }

  async patch(actor: Actor, patches: UserPatch[]): Promise<UserEntry[]> {
    for (const patch of patches) {
      checkPatch(actor, patch);
      await this.#checkRole(patch.set?.role, 'set.role');
    }
    return this.#writeAll(actor, byId(patches), patchOne);
  }

  async setDeactivated(id: string, deactivated: boolean): Promise<User> {
    const [entry] = await this.#writeAll(server, [id], async (tx) => {
      const found = await lockUser(tx.db, id);
      if (!found || found.deleted_at !== null) throw new ParleyError('NotFound', `No user ${id}`);
      return updateUser(tx.db, id, { deactivated_at: deactivated ? tx.now : null, updated_at: tx.now });
    });
    if (!entry) throw new ParleyError('Internal');
    return entry.user;
  }

  /** The user behind a good token: made on first sight, since only the app's secret signs tokens. */
  async ensure(id: string, details?: UserInput): Promise<UserEntry> {
    const { role: _, ...input } = { ...details, id };
    const known = await this.cache.get(this.#deps.kernel.db, id);
    if (known && (known.row.deleted_at !== null || known.row.banned || saysNothingNew(known, input)))
      return known;
    return this.#upsertOwn(input);
  }

  async guest(input: UserInput): Promise<UserEntry> {
    if (input.role !== undefined) throw invalid('user.role', 'a guest has the role guest');
    const id = `guest-${randomUUID().slice(0, 13)}-${input.id}`.slice(0, 64);
    return this.#upsertOwn({ ...input, id, role: 'guest' });
  }

  /** A user who may not search people sees those with a channel in common, and only as long as there is one. */
  async reasonToFollow(actor: Actor): Promise<'people' | 'neighbours'> {
    return (await this.#deps.maySearch(actor)) ? 'people' : 'neighbours';
  }

  /** `onFound` is called before it is looked at who is online, so that no change of it falls between a subscription and the answer. */
  async query(
    actor: Actor,
    request: PageRequest,
    onFound: (ids: string[]) => void | Promise<void> = () => undefined,
  ) {
    const { kernel, presence } = this.#deps;
    const own = actorId(actor);
    const maySearch = await this.#deps.maySearch(actor);
    if (!maySearch && !namesIds(request.filter))
      throw new ParleyError('NotAllowed', 'Not allowed to list people (search-users): ask for them by id');
    const listed = selectListed(kernel.pools.queries, {
      ...(actor.kind === 'server' ? {} : { withoutGuestsExcept: own ?? '' }),
      // A user who may not search people sees those they share a channel with.
      ...(maySearch ? {} : { sharingWith: own ?? '' }),
    });
    const page = await queryPage(listed, request, {
      fields: userFields,
      context: { actorId: own ?? null },
      cursorKey: kernel.config.apiSecret,
    });
    await onFound(page.rows.map(({ id }) => id));
    const users = page.rows.map((row) => presence.withPresence(toUser(row), row.last_active));
    return { users, ...(page.next === undefined ? {} : { next: page.next }) };
  }

  async #checkRole(role: unknown, path: string): Promise<void> {
    if (role === undefined) return;
    if (typeof role !== 'string' || !(await this.#deps.roleExists(this.#deps.kernel.db, role)))
      throw invalid(path, `no role is called "${String(role)}"`);
  }

  async #upsertOwn(input: UserInput): Promise<UserEntry> {
    const [entry] = await this.upsert(server, { [input.id]: input });
    if (!entry) throw new ParleyError('Internal');
    return entry;
  }

  #writeAll<T>(actor: Actor, list: T[], change: (tx: Tx, one: T) => Promise<UserRow>): Promise<UserEntry[]> {
    return this.#deps.kernel.writeFor(actor, async (tx) => {
      const entries: UserEntry[] = [];
      for (const one of list) {
        const row = await change(tx, one);
        publishUser(tx, row);
        entries.push(toEntry(row));
      }
      return entries;
    });
  }
}
