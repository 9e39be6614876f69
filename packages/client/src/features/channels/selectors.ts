import type { Capability } from '@parley/protocol';
import type { ChannelFacts, ChannelState } from '../../sync/state.ts';

/** Whether the own user has a capability in the channel. */
export const hasCapability = (state: Pick<ChannelFacts, 'capabilities'>, capability: Capability): boolean =>
  state.capabilities.has(capability);

type Titled = Pick<ChannelState, 'channel' | 'members' | 'ownId'>;

/** The name, or the other people in it. */
export const selectChannelTitle = ({ channel, members, ownId }: Titled): string => {
  if (channel.name) return channel.name;
  const others = members.filter((member) => member.user_id !== ownId);
  return others.map((member) => member.user?.name || member.user_id).join(', ') || channel.id;
};

/** Whether the own user may change the channel. */
export const canUpdateChannel = (state: ChannelState): boolean => hasCapability(state, 'update-channel');
/** Whether the own user may add members. */
export const canAddMembers = (state: ChannelState): boolean => hasCapability(state, 'add-channel-members');
