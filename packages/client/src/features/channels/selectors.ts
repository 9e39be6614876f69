import type { Capability } from '@parley/protocol';
import type { ChannelFacts, ChannelState } from '../../sync/state.ts';

/** Whether the own user has a capability in the channel. */
export const hasCapability = (state: Pick<ChannelFacts, 'capabilities'>, capability: Capability): boolean =>
  state.capabilities.has(capability);

type Titled = Pick<ChannelState, 'channel' | 'members' | 'ownId'>;

/** The name, or the other people in it; of a direct conversation also those who left. */
export const selectChannelTitle = ({ channel, members, ownId }: Titled): string => {
  const { name, id, direct_members } = channel;
  const people = direct_members ?? members.map(({ user, user_id }) => user ?? { id: user_id, name: '' });
  const titleOf = (all: readonly { id: string; name?: string }[]) =>
    all.map((user) => user.name || user.id).join(', ');
  return name || titleOf(people.filter((user) => user.id !== ownId)) || titleOf(direct_members ?? []) || id;
};

/** Whether the own user may change the channel. */
export const canUpdateChannel = (state: ChannelState): boolean => hasCapability(state, 'update-channel');
/** Whether the own user may add members. */
export const canAddMembers = (state: ChannelState): boolean => hasCapability(state, 'add-channel-members');
