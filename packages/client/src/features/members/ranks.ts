import type { Capability, Member } from '@parley/protocol';
import { rankOf } from '@parley/protocol/capabilities';
import type { ChannelFacts } from '../../sync/state.ts';

type Me = { id: string; role?: string };
type Standings = Pick<ChannelFacts, 'channel' | 'membership' | 'capabilities'>;

const isAbove = ({ channel, membership, capabilities }: Standings, me: Me, member: Member): boolean => {
  const ownerId = channel.created_by?.id;
  const own = rankOf({
    isOwner: ownerId === me.id,
    channelRole: membership?.channel_role,
    appRole: me.role,
    rights: capabilities,
  });
  return own > rankOf({ isOwner: ownerId === member.user_id, channelRole: member.channel_role });
};

const may = (right: Capability) => (state: Standings, me: Me, member: Member) =>
  member.user_id !== me.id && state.capabilities.has(right) && isAbove(state, me, member);

/** Whether the own user may take another out of the channel: those below them, with the right to. */
export const canRemoveMember = may('remove-channel-members');
/** Whether the own user may make another a moderator, or no longer one. */
export const canGrantRole = may('grant-channel-roles');
