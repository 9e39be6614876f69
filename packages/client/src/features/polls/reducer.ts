import type { Message, Poll, PollVote } from '@parley/protocol';
import type { Reducer, Reducers } from '../../sync/apply.ts';
import type { ConfirmedChannel } from '../../sync/state.ts';
import { mapCarriers } from '../messages/carriers.ts';

type Change = (known: Poll | undefined) => Poll | undefined;

const withPoll = <T extends Message>(message: T, change: Change): T => {
  const poll = change(message.poll);
  if (poll === message.poll) return message;
  const { poll: _, ...rest } = message;
  return (poll ? { ...rest, poll } : rest) as T;
};

export const mapPoll = (
  state: ConfirmedChannel,
  id: string,
  change: Change,
  isOwn = false,
): ConfirmedChannel =>
  mapCarriers(state, {
    isIt: ({ poll_id }) => poll_id === id,
    change: (message) => withPoll(message, change),
    isOwn,
  });

/** A broadcast never holds the own votes: those that are known stay, unless their option is gone. */
const keepVotes = (poll: Poll, own: PollVote[] | undefined): Poll => {
  if (poll.own_votes || !own) return poll;
  const stands = ({ is_answer, option_id }: PollVote) =>
    is_answer || poll.options.some(({ id }) => id === option_id);
  return { ...poll, own_votes: own.filter(stands) };
};

const pollChanged = (state: ConfirmedChannel, { poll }: { poll: Poll }): ConfirmedChannel =>
  mapPoll(state, poll.id, (known) =>
    known && known.version > poll.version ? known : keepVotes(poll, known?.own_votes),
  );

const pollDeleted: Reducer<'poll.deleted'> = (state, { poll }) => mapPoll(state, poll.id, () => undefined);

const ownVotes: Reducer<'notification.poll_own_votes'> = (state, { poll_id, own_votes }) =>
  mapPoll(state, poll_id, (known) => known && { ...known, own_votes }, true);

export const pollsReducers = {
  'poll.updated': pollChanged,
  'poll.closed': pollChanged,
  'poll.vote_casted': pollChanged,
  'poll.vote_changed': pollChanged,
  'poll.vote_removed': pollChanged,
  'poll.deleted': pollDeleted,
  'notification.poll_own_votes': ownVotes,
} satisfies Reducers;
