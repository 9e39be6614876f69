import type { Member } from '@parley/protocol';
import type { ChannelFacts } from '../../sync/state.ts';

/** The loaded member with this id. */
export const selectMember = (state: ChannelFacts, userId: string): Member | undefined =>
  state.members.find((member) => member.user_id === userId);

/** Whether the own user is a member. */
export const isMember = (state: ChannelFacts): boolean => state.membership !== undefined;

/** Whether the own user is invited and has not answered. */
export const isInvited = ({ membership }: ChannelFacts): boolean =>
  membership?.invited === true && !membership.invite_accepted_at && !membership.invite_rejected_at;
