import { randomUUID } from 'node:crypto';
import {
  invalid,
  ParleyError,
  texts,
  type User,
  type UserInput,
  UserInputSchema,
  UserSchema,
} from '@parley/protocol';
import { type Actor, actorId } from '../../auth/actor.ts';
import type { Kernel, Tx } from '../../kernel.ts';
import { checkValue } from '../../lib/check.ts';
import {
  applyPatch,
  checkCustomSize,
  customOf,
  type PatchBody,
  refuseReserved,
  shapeOf,
} from '../../lib/custom.ts';
import { type PageRequest, queryPage } from '../../query/page.ts';
import type { Presence } from '../presence/registry.ts';
import type { UserCache, UserEntry } from './cache.ts';
import { toUser, type UserRow } from './record.ts';
import { insertUser, lockUser, updateUser, userFields } from './store.ts';

const shape = shapeOf(UserInputSchema, UserSchema);

/** The instant before which tokens are void, from what a caller sent: null clears, a blank string is refused. */
export const parseSince = (since: string | null, path: string): string | null => {
  if (since === null) return null;
  if (since.trim() === '') throw invalid(path, texts.blankSince);
  const ms = Date.parse(since);
  if (Number.isNaN(ms)) throw invalid(path, 'must be an RFC 3339 time or null');
  return new Date(ms).toISOString();
};

export type UserPatch = PatchBody & { id: string; revoke_tokens_issued_before?: string | null };
export type Users = ReturnType<typeof createUsers>;

type Deps = {
  kernel: Kernel;
  cache: UserCache;
  presence: Presence;
  roleExists(name: string): Promise<boolean>;
};

/** A client may speak of itself alone, and gives itself no role. */
const refuseOthers = (actor: Actor, ids: string[], setsRole: boolean): void => {
  if (actor.kind === 'server') return;
  if (actor.kind === 'anonymous' || ids.some((id) => id !== actorId(actor)))
    throw new ParleyError('NotAllowed', 'A client may update only its own user (update-user)');
  if (setsRole)
    throw new ParleyError('NotAllowed', 'Only the server may set the role of a user (set-user-role)');
};

const tellOfUser = (tx: Tx, kernel: Kernel, row: UserRow): void => {
  tx.stale({ what: 'user', key: row.id });
  const user = toUser(row);
  tx.later(() =>
    kernel.bus.publish({
      kind: 'presence',
      userId: row.id,
      json: JSON.stringify({ type: 'user.updated', created_at: tx.now, user }),
    }),
  );
};

export const createUsers = ({ kernel, cache, presence, roleExists }: Deps) => {
  const checkRole = async (role: unknown, path: string) => {
    if (role === undefined) return;
    if (typeof role !== 'string' || !(await roleExists(role)))
      throw invalid(path, `no role is called "${String(role)}"`);
  };

  /** Merges what is said into the user, or makes it. */
  const upsertOne = async (tx: Tx, input: UserInput, path: string): Promise<UserRow> => {
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

  const upsert = async (actor: Actor, inputs: Record<string, UserInput>): Promise<UserEntry[]> => {
    const list = Object.entries(inputs);
    refuseOthers(
      actor,
      list.map(([, input]) => input.id),
      list.some(([, input]) => input.role !== undefined),
    );
    for (const [id, input] of list) {
      if (id !== input.id) throw invalid(`users.${id}.id`, 'must equal the key it stands under');
      await checkRole(input.role, `users.${id}.role`);
    }
    const rows = await kernel.write(async (tx) => {
      const made: UserRow[] = [];
      // In one order for all: two calls that name the same users must not wait for each other.
      for (const [id, input] of list.sort(([a], [b]) => (a < b ? -1 : 1))) {
        const row = await upsertOne(tx, input, `users.${id}`);
        tellOfUser(tx, kernel, row);
        made.push(row);
      }
      return made;
    });
    return rows.map((row) => ({ row, user: toUser(row) }));
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

  const checkPatch = async (actor: Actor, patch: UserPatch): Promise<void> => {
    refuseOthers(actor, [patch.id], patch.set?.role !== undefined);
    if (patch.revoke_tokens_issued_before !== undefined && actor.kind !== 'server')
      throw new ParleyError('NotAllowed', 'Only the server may revoke tokens (revoke-tokens)');
    for (const key of ['id', 'role'])
      if (patch.unset?.includes(key)) throw invalid(`unset.${key}`, `${key} cannot be unset`);
    if (patch.set && 'id' in patch.set) throw invalid('set.id', 'id cannot be changed');
    for (const key of Object.keys(patch.set ?? {})) refuseReserved(key, shape, 'set');
    const { name, image } = patch.set ?? {};
    if (name !== undefined) checkValue(UserInputSchema.properties.name, name, 'set.name');
    if (image !== undefined) checkValue(UserInputSchema.properties.image, image, 'set.image');
    await checkRole(patch.set?.role, 'set.role');
  };

  const patch = async (actor: Actor, patches: UserPatch[]): Promise<UserEntry[]> => {
    for (const one of patches) await checkPatch(actor, one);
    const rows = await kernel.write(async (tx) => {
      const changed: UserRow[] = [];
      for (const one of [...patches].sort((a, b) => (a.id < b.id ? -1 : 1))) {
        const row = await patchOne(tx, one);
        tellOfUser(tx, kernel, row);
        changed.push(row);
      }
      return changed;
    });
    return rows.map((row) => ({ row, user: toUser(row) }));
  };

  const setDeactivated = async (id: string, deactivated: boolean): Promise<User> => {
    const row = await kernel.write(async (tx) => {
      const found = await lockUser(tx.db, id);
      if (!found || found.deleted_at !== null) throw new ParleyError('NotFound', `No user ${id}`);
      const changed = await updateUser(tx.db, id, {
        deactivated_at: deactivated ? tx.now : null,
        updated_at: tx.now,
      });
      tellOfUser(tx, kernel, changed);
      return changed;
    });
    return toUser(row);
  };

  /** The user behind a good token: made on first sight, since only the app's secret signs tokens. */
  const ensure = async (id: string, details?: UserInput): Promise<UserEntry> => {
    const { role: _, ...input } = { ...details, id };
    const known = await cache.get(id);
    if (known && (details === undefined || Object.keys(input).length === 1 || known.row.deleted_at !== null))
      return known;
    const server: Actor = { kind: 'server', user: undefined };
    const [entry] = await upsert(server, { [id]: input });
    if (!entry) throw new ParleyError('Internal');
    return entry;
  };

  const guest = async (input: UserInput): Promise<UserEntry> => {
    if (input.role !== undefined) throw invalid('user.role', 'a guest has the role guest');
    const id = `guest-${randomUUID().slice(0, 13)}-${input.id}`.slice(0, 64);
    const server: Actor = { kind: 'server', user: undefined };
    const [entry] = await upsert(server, { [id]: { ...input, id, role: 'guest' } });
    if (!entry) throw new ParleyError('Internal');
    return entry;
  };

  const query = async (actor: Actor, request: PageRequest) => {
    const own = actorId(actor);
    const base = kernel.db.selectFrom('users').selectAll('users').where('users.deleted_at', 'is', null);
    const visible =
      actor.kind === 'server'
        ? base
        : base.where((eb) => eb.or([eb('users.role', '!=', 'guest'), eb('users.id', '=', own ?? '')]));
    const page = await queryPage(visible, request, {
      fields: userFields,
      context: { actorId: own ?? null },
      cursorKey: kernel.config.apiSecret,
    });
    const users = page.rows.map((row) => presence.withPresence(toUser(row), row.last_active));
    return { users, ...(page.next === undefined ? {} : { next: page.next }) };
  };

  return { upsert, patch, setDeactivated, ensure, guest, query, cache };
};
