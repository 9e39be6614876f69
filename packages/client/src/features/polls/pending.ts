import type { Poll, PollVote } from '@parley/protocol';
import type { PendingOp } from '../../sync/overlay.ts';
import { mapPoll } from './reducer.ts';

/** An own vote that is on its way. */
export type PendingVote =
  | { kind: 'option'; optionId: string }
  | { kind: 'answer'; text: string }
  | { kind: 'back'; voteId: string };

const count = (poll: Poll, optionId: string | undefined, step: 1 | -1): Poll => {
  if (optionId === undefined) return { ...poll, answers_count: poll.answers_count + step };
  const known = poll.vote_counts_by_option[optionId] ?? 0;
  return {
    ...poll,
    vote_count: poll.vote_count + step,
    vote_counts_by_option: { ...poll.vote_counts_by_option, [optionId]: known + step },
  };
};

const without = (poll: Poll, vote: PollVote | undefined): Poll => {
  if (!vote) return poll;
  const own_votes = poll.own_votes?.filter(({ id }) => id !== vote.id) ?? [];
  return { ...count(poll, vote.option_id, -1), own_votes };
};

const withVote = (poll: Poll, part: Pick<PollVote, 'option_id' | 'answer_text'>): Poll => {
  const at = poll.updated_at;
  const vote: PollVote = {
    ...part,
    id: `pending-${part.option_id ?? 'answer'}`,
    poll_id: poll.id,
    is_answer: part.option_id === undefined,
    created_at: at,
    updated_at: at,
  };
  return { ...count(poll, part.option_id, 1), own_votes: [...(poll.own_votes ?? []), vote] };
};

/** The poll as it will be when the vote has arrived. */
const withPending = (poll: Poll, pending: PendingVote): Poll => {
  const own = poll.own_votes ?? [];
  if (pending.kind === 'back')
    return without(
      poll,
      own.find(({ id }) => id === pending.voteId),
    );
  if (pending.kind === 'answer') {
    const before = own.find(({ is_answer }) => is_answer);
    return withVote(without(poll, before), { answer_text: pending.text });
  }
  if (own.some(({ option_id }) => option_id === pending.optionId)) return poll;
  const before = poll.enforce_unique_vote ? own.find(({ is_answer }) => !is_answer) : undefined;
  return withVote(without(poll, before), { option_id: pending.optionId });
};

/** Shows a vote that is on its way in every message that carries the poll, and changes no other. */
export const voteOp = (key: string, pollId: string, vote: PendingVote): PendingOp => ({
  key,
  apply: (state) => mapPoll(state, pollId, (poll) => poll && withPending(poll, vote)),
});
