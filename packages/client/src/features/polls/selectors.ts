import type { Poll, PollVote } from '@parley/protocol';
import type { ChannelState } from '../../sync/state.ts';

/** Whether the own user may send polls. */
export const canCreatePoll = ({ capabilities }: ChannelState): boolean => capabilities.has('create-poll');
/** Whether the own user may vote in the poll now. */
export const canVote = ({ capabilities }: ChannelState, poll: Poll): boolean =>
  !poll.is_closed && capabilities.has('cast-poll-vote');
/** Whether the own user may close, change and reopen the poll of a message. */
export const canManagePoll = (state: ChannelState, poll: Poll): boolean =>
  poll.created_by_id === state.ownId || state.capabilities.has('update-message');
/** Whether the own user may add an option to the poll. */
export const canSuggest = (state: ChannelState, poll: Poll): boolean =>
  !poll.is_closed &&
  (canManagePoll(state, poll) || (poll.allow_user_suggested_options && canVote(state, poll)));

/** The own vote for an option; undefined where there is none. */
export const ownVoteFor = (poll: Poll, optionId: string): PollVote | undefined =>
  poll.own_votes?.find(({ option_id }) => option_id === optionId);
/** The answer of the own user, if there is one. */
export const ownAnswer = (poll: Poll): PollVote | undefined =>
  poll.own_votes?.find(({ is_answer }) => is_answer);
/** Whether one more option may be chosen without giving one up. */
export const hasVotesLeft = (poll: Poll): boolean =>
  poll.enforce_unique_vote ||
  poll.max_votes_allowed === undefined ||
  (poll.own_votes ?? []).filter(({ is_answer }) => !is_answer).length < poll.max_votes_allowed;
