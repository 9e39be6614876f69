import { type Capability, type Channel, type ChannelConfig, fidelityOf, type User } from '@parley/protocol';
import type { ChannelRow } from '../../db/rows.ts';

const fidelity = ({ member_count }: ChannelRow, config: ChannelConfig): Pick<Channel, 'fidelity'> => {
  const less = fidelityOf(member_count, config);
  return less ? { fidelity: less } : {};
};

/** The users whom a channel names. */
type NamedUsers = { createdBy: User | undefined; directMembers: User[] | undefined };

/** The channel as everyone sees it; in every event the same. */
export const toChannel = (
  row: ChannelRow,
  { createdBy, directMembers }: NamedUsers,
  config: ChannelConfig,
): Channel => ({
  ...row.data,
  id: row.id,
  type: row.type,
  cid: row.cid,
  ...(row.name === null ? {} : { name: row.name }),
  ...(row.image === null ? {} : { image: row.image }),
  ...(createdBy ? { created_by: createdBy } : {}),
  created_at: row.created_at,
  updated_at: row.updated_at,
  ...(row.deleted_at === null ? {} : { deleted_at: row.deleted_at }),
  ...(row.last_message_at === null ? {} : { last_message_at: row.last_message_at }),
  member_count: row.member_count,
  ...(directMembers ? { direct_members: directMembers } : {}),
  frozen: row.frozen,
  cooldown: row.cooldown,
  disabled: row.disabled,
  ...(row.truncated_at === null ? {} : { truncated_at: row.truncated_at }),
  config,
  ...fidelity(row, config),
});

/** The channel as one person sees it. */
export const toOwnChannel = (channel: Channel, capabilities: ReadonlySet<Capability>): Channel => ({
  ...channel,
  own_capabilities: [...capabilities].sort(),
});
