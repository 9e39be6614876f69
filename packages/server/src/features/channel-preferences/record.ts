import type { ChannelMute } from '@parley/protocol';
import type { ChannelRow, MemberRow } from '../../db/rows.ts';

/** The settings of one member for a channel; in replies to them, never in events. */
export const preferencesOf = (channel: Pick<ChannelRow, 'last_number'>, member: MemberRow, now: string) => ({
  hidden: member.hidden_number !== null && member.hidden_number >= channel.last_number,
  muted: member.muted_at !== null && (member.muted_until === null || member.muted_until > now),
});

export type MuteRow = Pick<MemberRow, 'cid' | 'muted_until'> & { muted_at: string };

export const toMute = (row: MuteRow): ChannelMute => ({
  channel_cid: row.cid,
  created_at: row.muted_at,
  ...(row.muted_until === null ? {} : { expires: row.muted_until }),
});
