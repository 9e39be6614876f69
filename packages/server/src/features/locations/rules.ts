import { invalid, limits, ParleyError } from '@parley/protocol';
import { isoTime } from '../../lib/clock.ts';
import { futureTime } from '../../query/future-time.ts';
import type { LocationRow } from './record.ts';

const hours = limits.liveLocationMostMs / 3_600_000;

/** When a live location is to end: in the future, and not further than a day. */
export const checkEnd = (endAt: string, path: string, now: string): string => {
  const end = futureTime(endAt, path, now);
  if (end > isoTime(Date.parse(now) + limits.liveLocationMostMs))
    throw invalid(path, `${path} may be at most ${hours} hours ahead`);
  return end;
};

type Asked = { userId: string; deviceId: string };

/** Refuses who may not say anything of this live location. */
export const requireOwnShare = (row: LocationRow, { userId }: Asked): void => {
  if (row.end_at === null) throw invalid('message_id', 'names a location that is not live');
  if (row.user_id !== userId)
    throw new ParleyError('NotAllowed', 'Only who shares a location may change it (share-location)');
};

/** Refuses who may not move it: it has ended, or another device shares it. */
export const requireMovable = (row: LocationRow, asked: Asked, now: string): void => {
  requireOwnShare(row, asked);
  if (row.ended || (row.end_at ?? '') <= now) throw invalid('message_id', 'The live location has ended');
  if (row.created_by_device_id !== asked.deviceId)
    throw invalid('created_by_device_id', 'names a device that did not start this sharing');
};
