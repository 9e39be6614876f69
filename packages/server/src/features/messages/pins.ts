import { invalid } from '@parley/protocol';
import { sql, type Updateable } from 'kysely';
import { lockChannel } from '../../access/place.ts';
import type { MessagesTable } from '../../db/schema.ts';
import { endEach } from '../../jobs/end-each.ts';
import type { Kernel, Tx } from '../../kernel.ts';
import type { PatchBody } from '../../lib/custom.ts';
import { parseTime } from '../../query/values.ts';
import type { MessageRow } from './record.ts';
import type { Messages } from './service.ts';
import { lockMessage } from './store.ts';

/** What a patch says of the pin: `undefined` leaves it, `null` takes the end away. */
export type PinChange = { pinned: boolean | undefined; expires: string | null | undefined };

const pinKeys = new Set(['pinned', 'pin_expires']);

const pinnedOf = ({ set = {}, unset = [] }: PatchBody): boolean | undefined => {
  if (unset.includes('pinned')) return false;
  if (set.pinned === undefined || typeof set.pinned === 'boolean') return set.pinned;
  throw invalid('set.pinned', 'must be true or false');
};

const expiresOf = ({ set = {}, unset = [] }: PatchBody): string | null | undefined => {
  if (unset.includes('pin_expires') || set.pin_expires === null) return null;
  if (set.pin_expires === undefined) return undefined;
  const time = typeof set.pin_expires === 'string' ? parseTime(set.pin_expires) : undefined;
  if (time === undefined) throw invalid('set.pin_expires', 'must be an RFC 3339 time');
  return time;
};

/** Parts a patch into its pin, which has a permission of its own, and the rest. */
export const splitPin = (patch: PatchBody): { pin: PinChange | undefined; rest: PatchBody | undefined } => {
  const { set = {}, unset = [] } = patch;
  const isPin = (key: string) => pinKeys.has(key);
  if (![...Object.keys(set), ...unset].some(isPin)) return { pin: undefined, rest: patch };
  for (const key of unset)
    if (isPin(key) && key in set) throw invalid(`unset.${key}`, `${key} is both set and unset`);
  const restSet = Object.fromEntries(Object.entries(set).filter(([key]) => !isPin(key)));
  const restUnset = unset.filter((key) => !isPin(key));
  const isOnlyPin = Object.keys(restSet).length + restUnset.length === 0;
  return {
    pin: { pinned: pinnedOf(patch), expires: expiresOf(patch) },
    rest: isOnlyPin ? undefined : { set: restSet, unset: restUnset },
  };
};

const isPinnedAt = (row: MessageRow, now: string): boolean =>
  row.pinned_at !== null && (row.pin_expires === null || row.pin_expires > now);

const unpinned = { pinned_at: null, pinned_by: null, pin_expires: null };

/** The columns that a pin changes; undefined when it changes nothing. */
export const pinValues = (
  row: MessageRow,
  { pinned, expires }: PinChange,
  now: string,
  actorId: string | undefined,
): Updateable<MessagesTable> | undefined => {
  const was = isPinnedAt(row, now);
  if (!(pinned ?? was)) {
    if (expires) throw invalid('set.pin_expires', 'is for pinned messages');
    return was ? unpinned : undefined;
  }
  if (expires && expires <= now) throw invalid('set.pin_expires', 'must be in the future');
  // To pin again says all of the pin; an end alone changes only the end.
  const end = expires === undefined && pinned === undefined ? row.pin_expires : (expires ?? null);
  if (!was) return { pinned_at: now, pinned_by: actorId ?? null, pin_expires: end };
  return end === row.pin_expires ? undefined : { pin_expires: end };
};

const everyMs = 1000;
const mostAtOnce = 100;

/** Ends a pin whose time is over and tells it; reads take it for ended already. */
const endPin = async (
  messages: Messages,
  tx: Tx,
  { id, cid }: { id: string; cid: string },
): Promise<void> => {
  await lockChannel(tx.db, cid);
  const row = await lockMessage(tx.db, id);
  if (!row || row.pinned_at === null || isPinnedAt(row, tx.now)) return;
  const ended = await tx.db
    .updateTable('messages')
    .set({ ...unpinned, updated_at: tx.now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await messages.tellOf(tx, { type: 'message.updated', row: ended, fields: { unpinned: true } });
};

const endPins = async (kernel: Kernel, messages: Messages): Promise<void> => {
  const due = await kernel.db
    .selectFrom('messages')
    .innerJoin('channels', 'channels.cid', 'messages.cid')
    .select(['messages.id', 'messages.cid'])
    .where('messages.pin_expires', '<=', kernel.now())
    .where('channels.deleted_at', 'is', null)
    .whereRef('messages.seq', '>', 'channels.emptied_seq')
    .orderBy(sql`messages.pin_expires`)
    .limit(mostAtOnce)
    .execute();
  await endEach(kernel, due, (tx, pin) => endPin(messages, tx, pin));
};

/** Looks every second for pins that are over; returns its stop. */
export const startPinEnds = (kernel: Kernel, messages: Messages): (() => Promise<void>) => {
  let running = Promise.resolve();
  const run = () => {
    running = endPins(kernel, messages)
      .catch((error: unknown) => kernel.log.error({ err: error }, 'ending pins failed'))
      .then(() => {
        if (!stopped) timer = kernel.clock.setTimeout(run, everyMs);
      });
  };
  let stopped = false;
  let timer = kernel.clock.setTimeout(run, everyMs);
  return () => {
    stopped = true;
    timer.stop();
    return running;
  };
};
