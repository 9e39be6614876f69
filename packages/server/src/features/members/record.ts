import type { Member, User } from '@parley/protocol';
import type { MemberRow } from '../../db/rows.ts';

export const toMember = (row: MemberRow, user: User | undefined): Member => ({
  ...row.data,
  user_id: row.user_id,
  ...(user ? { user } : {}),
  channel_role: row.channel_role,
  banned: row.banned,
  ...(row.invited ? { invited: true } : {}),
  ...(row.invited_by === null ? {} : { invited_by_id: row.invited_by }),
  ...(row.invite_accepted_at === null ? {} : { invite_accepted_at: row.invite_accepted_at }),
  ...(row.invite_rejected_at === null ? {} : { invite_rejected_at: row.invite_rejected_at }),
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** The record that the member gets of themselves: with their own settings of the channel, which nobody else sees. */
export const toOwnMember = (row: MemberRow, user: User | undefined): Member => ({
  ...toMember(row, user),
  ...(row.pinned_at === null ? {} : { pinned_at: row.pinned_at }),
  ...(row.archived_at === null ? {} : { archived_at: row.archived_at }),
  ...(row.cleared_at === null ? {} : { cleared_at: row.cleared_at }),
  ...(row.own_version === 0 ? {} : { own_version: row.own_version }),
});
