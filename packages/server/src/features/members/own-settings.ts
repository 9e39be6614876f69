import { invalid, ParleyError } from '@parley/protocol';
import type { MemberRow } from '../../db/rows.ts';
import type { PatchBody } from '../../lib/custom.ts';
import { keysOf } from '../../lib/objects.ts';

type OwnSettings = (member: MemberRow, now: string) => Partial<MemberRow>;

const columns = { pinned: 'pinned_at', archived: 'archived_at' } as const;
const keys = keysOf(columns);

/** Splits a patch: whether the member pins or archives the channel for themselves, and the rest, which everyone sees. */
export const splitOwnSettings = (
  { set = {}, unset = [] }: PatchBody,
  isOwn: boolean,
): { ownSettings: OwnSettings | undefined; patch: PatchBody | undefined } => {
  const { pinned, archived, ...rest } = set;
  const wanted = { pinned, archived };
  const given = keys.filter((key) => wanted[key] !== undefined);
  for (const key of keys)
    if (unset.includes(key)) throw invalid(`unset.${key}`, `${key} is set to false, not unset`);
  for (const key of given)
    if (typeof wanted[key] !== 'boolean') throw invalid(`set.${key}`, 'must be true or false');
  if (given.length > 0 && !isOwn)
    throw new ParleyError(
      'NotAllowed',
      'Nobody pins or archives a channel for another (channel-preferences)',
    );
  const isRest = given.length === 0 || Object.keys(rest).length + unset.length > 0;
  const ownSettings: OwnSettings = (member, now) =>
    Object.fromEntries([
      ['own_version', member.own_version + 1],
      ...given.map((key) => [columns[key], wanted[key] === true ? (member[columns[key]] ?? now) : null]),
    ]);
  return {
    ownSettings: given.length > 0 ? ownSettings : undefined,
    patch: isRest ? { set: rest, unset } : undefined,
  };
};
