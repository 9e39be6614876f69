import type { Member } from '@parley/protocol';
import type { ChannelFacts } from '../../sync/state.ts';

export const selectMember = (state: ChannelFacts, userId: string): Member | undefined =>
  state.members.find((member) => member.user_id === userId);

export const isMember = (state: ChannelFacts): boolean => state.membership !== undefined;

export const isInvited = ({ membership }: ChannelFacts): boolean =>
  membership?.invited === true && !membership.invite_accepted_at && !membership.invite_rejected_at;
