import type { OwnUser, ReadState, User } from '@parley/protocol';
import type { MemberRow } from '../members/record.ts';
import type { UserEntry } from '../users/cache.ts';

export type Totals = { cids: string[]; unread: number; unreadChannels: number; unreadThreads: number };

/** A member's read state. `own` shows where they themselves begin to count; others see how far they have read. */
export const toRead = (row: MemberRow, user: User, lastNumber: number, own: boolean): ReadState => {
  const number = own ? (row.unread_from ?? row.read_number) : row.read_number;
  return {
    user,
    ...(row.last_read === null ? {} : { last_read: row.last_read }),
    ...(row.last_read_message_id === null ? {} : { last_read_message_id: row.last_read_message_id }),
    last_read_number: number,
    unread_messages: Math.max(0, lastNumber - number),
    ...(row.last_delivered_at === null ? {} : { last_delivered_at: row.last_delivered_at }),
    ...(row.last_delivered_message_id === null
      ? {}
      : { last_delivered_message_id: row.last_delivered_message_id }),
  };
};

/** The user as it sees itself. */
export const toOwnUser = (
  { user }: UserEntry,
  { unread, unreadChannels, unreadThreads }: Totals,
): OwnUser => ({
  ...user,
  online: true,
  unread_count: unread,
  unread_channels: unreadChannels,
  unread_threads: unreadThreads,
  mutes: [],
  channel_mutes: [],
  blocked_user_ids: [],
  devices: [],
  privacy_settings: {},
});
