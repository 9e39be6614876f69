import type { Capability, Member } from '@parley/protocol';
import { rankOf } from '@parley/protocol/capabilities';
import type { ChannelFacts } from '../../sync/state.ts';

type Me = { id: string; role?: string };
type Standings = Pick<ChannelFacts, 'channel' | 'membership' | 'capabilities'>;

/** The usual rights behind the rank of each built-in staff role. The server alone knows the rights of others here, and decides. */
const staffRights = new Map<string | undefined, ReadonlySet<Capability>>([
  ['admin', new Set(['delete-channel'])],
  ['moderator', new Set(['remove-channel-members'])],
]);

const isAbove = ({ channel, membership, capabilities }: Standings, me: Me, member: Member): boolean => {
  const ownerId = channel.created_by?.id;
  const own = rankOf({
    isOwner: ownerId === me.id,
    channelRole: membership?.channel_role,
    appRole: me.role,
    rights: capabilities,
  });
  const appRole = member.user?.role;
  const theirs = rankOf({
    isOwner: ownerId === member.user_id,
    channelRole: member.channel_role,
    appRole,
    rights: staffRights.get(appRole),
  });
  return own > theirs;
};

const may = (right: Capability) => (state: Standings, me: Me, member: Member) =>
  member.user_id !== me.id && state.capabilities.has(right) && isAbove(state, me, member);

/** Whether the own user may take another out of the channel: those below them, with the right to. */
export const canRemoveMember = may('remove-channel-members');
/** Whether the own user may make another a moderator, or no longer one. */
export const canGrantRole = may('grant-channel-roles');
