import { randomUUID } from 'node:crypto';
import {
  invalid,
  ParleyError,
  type Poll,
  type PollInput,
  PollInputSchema,
  PollSchema,
} from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { type Actor, actingUser, actorId, refuseBanned } from '../../auth/actor.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { checkPatched, checkValue, type Patched, patchedValue } from '../../lib/check.ts';
import { applyPatch, customOf, type PatchBody, shapeOf } from '../../lib/custom.ts';
import { type PageRequest, queryPage } from '../../query/page.ts';
import { parseTime } from '../../query/values.ts';
import type { DueJob } from '../../work/due-job.ts';
import type { FoundPoll, PollAccess } from './access.ts';
import { checkPollLinks } from './links.ts';
import type { PollReader } from './reader.ts';
import {
  checkMaxVotes,
  checkOptions,
  checkPoll,
  isClosedAt,
  newPoll,
  type PollRow,
  type PollValues,
  refuseClosed,
  refuseNewRules,
} from './rules.ts';
import {
  deletePoll,
  deleteVotesFor,
  insertPoll,
  pollFields,
  recount,
  takeUnpublished,
  updatePoll,
  visiblePolls,
} from './store.ts';

/** A poll as a caller gives it. The number of votes is checked in words of its own. */
type GivenPoll = Omit<PollInput, 'max_votes_allowed'> & { max_votes_allowed?: unknown };
type Deps = {
  kernel: Kernel;
  access: Access;
  pollAccess: PollAccess;
  reader: PollReader;
  expiry: Pick<DueJob, 'wake'>;
};
type Values = { values: PollValues; data: Record<string, unknown> };

const actorKeys = { user_id: true, user: true };
const shape = shapeOf({ properties: { ...PollInputSchema.properties, ...actorKeys } }, PollSchema);
const patchable = [
  'name',
  'description',
  'options',
  'voting_visibility',
  'enforce_unique_vote',
  'max_votes_allowed',
  'allow_user_suggested_options',
  'allow_answers',
  'is_closed',
  'end_at',
] as const;
const patchShape = shapeOf(
  { properties: Object.fromEntries(patchable.map((key) => [key, true])) },
  PollSchema,
);

const endOf = (value: unknown, path: string): string | null => {
  if (value === null || value === undefined) return null;
  const time = typeof value === 'string' ? parseTime(value) : undefined;
  if (time === undefined) throw invalid(path, 'must be an RFC 3339 time');
  return time;
};

/** Lays what a caller said over what there is. Null takes a part back to how new polls have it. */
const withInput = (base: PollValues, given: Patched<GivenPoll>, prefix: string): PollValues => {
  const values: PollValues = {
    name: patchedValue(given.name, base.name, newPoll.name).trim(),
    description: patchedValue(given.description, base.description, newPoll.description).trim(),
    options:
      given.options === undefined ? base.options : checkOptions(given.options ?? [], `${prefix}options`),
    voting_visibility: patchedValue(
      given.voting_visibility,
      base.voting_visibility,
      newPoll.voting_visibility,
    ),
    enforce_unique_vote: patchedValue(
      given.enforce_unique_vote,
      base.enforce_unique_vote,
      newPoll.enforce_unique_vote,
    ),
    max_votes_allowed:
      given.max_votes_allowed === undefined
        ? base.max_votes_allowed
        : checkMaxVotes(given.max_votes_allowed, `${prefix}max_votes_allowed`),
    allow_user_suggested_options: patchedValue(
      given.allow_user_suggested_options,
      base.allow_user_suggested_options,
      newPoll.allow_user_suggested_options,
    ),
    allow_answers: patchedValue(given.allow_answers, base.allow_answers, newPoll.allow_answers),
    is_closed: patchedValue(given.is_closed, base.is_closed, newPoll.is_closed),
    end_at: given.end_at === undefined ? base.end_at : endOf(given.end_at, `${prefix}end_at`),
  };
  checkPoll(values, prefix);
  return values;
};

const columnsOf = ({ values, data }: Values) => ({
  ...values,
  options: JSON.stringify(values.options),
  data: JSON.stringify(data),
});

const checkEnd = (before: string | null, { end_at, is_closed }: PollValues, at: string, path: string) => {
  if (end_at === null || end_at > at) return;
  if (end_at !== before) throw invalid(path, 'must be in the future');
  if (!is_closed) throw invalid(path, 'is over: give a later one, or none, to reopen the poll');
};

/** Makes, changes, reads and deletes polls. */
export class Polls {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** A poll that waits to be sent. The same id from the same creator again gives the stored one, with 200. */
  async create(actor: Actor, input: GivenPoll): Promise<{ poll: Poll; isNew: boolean }> {
    const { kernel } = this.#deps;
    const author = actingUser(actor).row.id;
    refuseBanned(actor, 'create-poll');
    const now = kernel.now();
    const values = withInput(newPoll, input, '');
    checkEnd(null, values, now, 'end_at');
    const id = input.id ?? randomUUID();
    const made = await insertPoll(kernel.db, {
      ...columnsOf({ values, data: customOf(input, shape, 'poll') }),
      ...{ id, created_by: author, created_at: now, updated_at: now },
    });
    if (made) {
      this.#wakeExpiry(made);
      return { poll: await this.#one(made, actor), isNew: true };
    }
    const stored = await this.#deps.pollAccess.see(actor, id).catch(() => undefined);
    if (stored?.row.created_by !== author)
      throw new ParleyError('DuplicateId', `The poll id ${id} is taken`, [
        { path: 'id', message: 'is taken' },
      ]);
    return { poll: await this.#one(stored.row, actor), isNew: false };
  }

  async get(actor: Actor, id: string): Promise<Poll> {
    return this.#one((await this.#deps.pollAccess.see(actor, id)).row, actor);
  }

  replace(actor: Actor, input: GivenPoll & { id: string }): Promise<Poll> {
    return this.#edit(actor, input.id, '', (row) => ({
      values: withInput({ ...newPoll, is_closed: row.is_closed }, input, ''),
      data: customOf(input, shape, 'poll'),
    }));
  }

  patch(actor: Actor, id: string, patch: PatchBody): Promise<Poll> {
    return this.#edit(actor, id, 'set.', (row) => {
      const { known, custom } = applyPatch(patch, row.data, patchShape);
      for (const [key, schema] of Object.entries(PollInputSchema.properties))
        if (patch.set && patch.set[key] !== undefined)
          checkValue<unknown>(schema, patch.set[key], `set.${key}`);
      return {
        values: withInput(row, checkPatched(PollInputSchema, patchable, known), 'set.'),
        data: custom,
      };
    });
  }

  async remove(actor: Actor, id: string): Promise<Poll> {
    const { kernel, pollAccess, reader } = this.#deps;
    const found = await pollAccess.see(actor, id);
    pollAccess.requireDelete(found);
    return kernel.writeFor(actor, async (tx) => {
      const locked = await pollAccess.lockFor(tx, actor, found);
      pollAccess.requireDelete(locked);
      const { row } = locked;
      const poll = (await reader.read(tx.db, [row])).polls.get(id);
      if (!poll) throw new ParleyError('NotFound', `No poll ${id}`);
      await deletePoll(tx.db, id);
      if (row.cid !== null) await tx.event({ cid: row.cid, type: 'poll.deleted', fields: { poll } });
      return poll;
    });
  }

  async query(actor: Actor, request: PageRequest) {
    const { kernel, access, reader } = this.#deps;
    const viewerId = actorId(actor);
    const open = viewerId === undefined ? [] : await access.openTypes(actor);
    const page = await queryPage(visiblePolls(kernel.pools.queries, viewerId, open), request, {
      fields: pollFields,
      context: { actorId: viewerId ?? null },
      cursorKey: kernel.config.apiSecret,
    });
    const rows: PollRow[] = [];
    for (const row of page.rows)
      if (row.cid === null || (await access.mayRead(actor, row.cid))) rows.push(row);
    const { polls, own } = await reader.read(kernel.db, rows, viewerId);
    return {
      polls: [...polls.values()].map((poll) => ({ ...poll, own_votes: own.get(poll.id) ?? [] })),
      ...(page.next === undefined ? {} : { next: page.next }),
    };
  }

  /** Part of the transaction of any change: publishes the poll as it is now. */
  async publish(tx: Tx, row: PollRow, type: 'poll.updated' | 'poll.closed'): Promise<void> {
    if (row.cid === null) return;
    await takeUnpublished(tx.db, [row.id], tx.now);
    const poll = (await this.#deps.reader.read(tx.db, [row])).polls.get(row.id);
    await tx.event({ cid: row.cid, type, fields: { poll } });
  }

  async #edit(actor: Actor, id: string, prefix: string, change: (row: PollRow) => Values): Promise<Poll> {
    const { kernel, pollAccess } = this.#deps;
    const found: FoundPoll = await pollAccess.see(actor, id);
    pollAccess.requireUpdate(found);
    const changed = await kernel.writeFor(actor, async (tx) => {
      const locked = await pollAccess.lockFor(tx, actor, found);
      pollAccess.requireUpdate(locked);
      const { row } = locked;
      const next = change(row);
      const { values } = next;
      refuseNewRules(row, values, prefix);
      checkEnd(row.end_at, values, tx.now, `${prefix}end_at`);
      if (JSON.stringify(values.options) !== JSON.stringify(row.options)) refuseClosed(row, tx.now);
      checkPollLinks(locked.place, row, { ...values, data: next.data });
      await updatePoll(tx.db, id, { ...columnsOf(next), updated_at: tx.now });
      await removeStrayVotes(tx, row, values);
      const stored = await recount(tx.db, id);
      const isClosing = isClosedAt(stored, tx.now) && !isClosedAt(row, tx.now);
      await this.publish(tx, stored, isClosing ? 'poll.closed' : 'poll.updated');
      return stored;
    });
    this.#wakeExpiry(changed);
    return this.#one(changed, actor);
  }

  #wakeExpiry({ end_at, is_closed }: PollRow): void {
    if (end_at !== null && !is_closed) this.#deps.expiry.wake(end_at);
  }

  async #one(row: PollRow, actor: Actor): Promise<Poll> {
    const { kernel, reader } = this.#deps;
    const { polls, own } = await reader.read(kernel.db, [row], actorId(actor));
    const poll = polls.get(row.id);
    if (!poll) throw new ParleyError('Internal');
    return { ...poll, own_votes: own.get(row.id) ?? [] };
  }
}

/** Deletes the votes for options that were removed. */
const removeStrayVotes = async (tx: Tx, row: PollRow, { options }: PollValues): Promise<void> => {
  const left = new Set(options.map(({ id }) => id));
  const gone = row.options.filter(({ id }) => !left.has(id)).map(({ id }) => id);
  if (gone.length > 0) await deleteVotesFor(tx.db, row.id, gone);
};
