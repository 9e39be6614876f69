import type { ScheduledMessage } from '@parley/protocol';
import { laterOf } from '../../lib/clock.ts';
import type { ScheduledRow } from './store.ts';

export const toScheduled = (row: ScheduledRow): ScheduledMessage => ({
  id: row.id,
  cid: row.cid,
  user_id: row.user_id,
  message: row.input,
  send_at: row.send_at,
  status: row.status,
  ...(row.error === null ? {} : { error: row.error }),
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** The record of a scheduled message that is gone. */
export const toGone = ({ id, cid, user_id, updated_at }: ScheduledRow, now: string) => ({
  id,
  cid,
  user_id,
  updated_at: laterOf(updated_at, now),
});
