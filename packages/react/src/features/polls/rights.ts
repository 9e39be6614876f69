import type { ChannelState } from '@parley/client';
import { canManagePoll, canSuggest, canVote, type Poll } from '@parley/client/polls';

/** The actions that the reader may take on a poll. */
export type Rights = { vote: boolean; suggest: boolean; manage: boolean };

const none: Rights = { vote: false, suggest: false, manage: false };

export const rightsIn = (state: ChannelState | undefined, poll: Poll | undefined): Rights =>
  state && poll
    ? { vote: canVote(state, poll), suggest: canSuggest(state, poll), manage: canManagePoll(state, poll) }
    : none;
