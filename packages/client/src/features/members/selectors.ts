import type { Member } from '@parley/protocol';
import type { ConfirmedChannel } from '../../sync/state.ts';

export const selectMember = (state: ConfirmedChannel, userId: string): Member | undefined =>
  state.members.find((member) => member.user_id === userId);

export const isMember = (state: ConfirmedChannel): boolean => state.membership !== undefined;

export const isInvited = ({ membership }: ConfirmedChannel): boolean =>
  membership?.invited === true && !membership.invite_accepted_at && !membership.invite_rejected_at;
