import { invalid } from '@parley/protocol';
import type { Updateable } from 'kysely';
import type { MessageRow } from '../../db/rows.ts';
import type { MessagesTable } from '../../db/schema.ts';
import type { PatchBody } from '../../lib/custom.ts';
import { parseTime } from '../../query/values.ts';

/** The pin in a patch: `undefined` leaves it as it is, `null` removes its expiry. */
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

/** Splits a patch into its pin, which has a permission of its own, and the rest. */
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

export const isPinnedAt = (row: MessageRow, now: string): boolean =>
  row.pinned_at !== null && (row.pin_expires === null || row.pin_expires > now);

export const unpinned = { pinned_at: null, pinned_by: null, pin_expires: null };

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
  // A patch that pins again without an expiry removes the expiry; a patch of something else leaves it.
  const end = expires === undefined && pinned === undefined ? row.pin_expires : (expires ?? null);
  if (!was) return { pinned_at: now, pinned_by: actorId ?? null, pin_expires: end };
  return end === row.pin_expires ? undefined : { pin_expires: end };
};
