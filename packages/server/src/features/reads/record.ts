import { limits, type OwnUser, type ReadState, type User } from '@parley/protocol';
import type { UserEntry } from '../../auth/actor.ts';
import type { ChannelRow, MemberRow } from '../../db/rows.ts';

export type Totals = { cids: string[]; unread: number; unreadChannels: number; unreadThreads: number };

/** The version of an own mark that an event of the log moved. */
export const loggedMark = (seq: number): number => seq * limits.marksPerEvent;

/** The version of an own mark that moves between two events, under the channel's lock. */
export const nextMark = (channel: Pick<ChannelRow, 'seq'>, member: Pick<MemberRow, 'read_version'>): number =>
  Math.max(loggedMark(channel.seq), member.read_version) + 1;

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
    ...(own ? { version: row.read_version } : {}),
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
