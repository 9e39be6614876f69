import type { Message, Poll, PollVote } from '@parley/protocol';
import type { Reducer, Reducers } from '../../sync/apply.ts';
import type { ConfirmedChannel, LoadedThread } from '../../sync/state.ts';

type Change = (known: Poll | undefined) => Poll | undefined;

const withPoll = <T extends Message>(message: T, change: Change): T => {
  const poll = change(message.poll);
  if (poll === message.poll) return message;
  const { poll: _, ...rest } = message;
  return (poll ? { ...rest, poll } : rest) as T;
};

/** Changes a poll wherever it is shown; in quotes too, unless it is about what is the reader's own. */
const mapPoll = (state: ConfirmedChannel, id: string, change: Change, isOwn = false): ConfirmedChannel => {
  const one = <T extends Message>(message: T): T => {
    const next = message.poll_id === id ? withPoll(message, change) : message;
    const quoted = message.quoted_message;
    return isOwn || quoted?.poll_id !== id ? next : { ...next, quoted_message: withPoll(quoted, change) };
  };
  const all = <T extends readonly Message[]>(list: T): T =>
    list.some(({ poll_id, quoted_message }) => poll_id === id || quoted_message?.poll_id === id)
      ? (list.map(one) as unknown as T)
      : list;
  const threads: Record<string, LoadedThread> = {};
  for (const [parentId, thread] of Object.entries(state.threads))
    threads[parentId] = { ...thread, messages: all(thread.messages) };
  const tail = state.tail && one(state.tail);
  return { ...state, messages: all(state.messages), pinned: all(state.pinned), threads, tail };
};

/** A broadcast never holds the own votes: those that are known stay, unless their option is gone. */
const keepVotes = (poll: Poll, own: PollVote[] | undefined): Poll => {
  if (poll.own_votes || !own) return poll;
  const stands = ({ is_answer, option_id }: PollVote) =>
    is_answer || poll.options.some(({ id }) => id === option_id);
  return { ...poll, own_votes: own.filter(stands) };
};

const pollTold = (state: ConfirmedChannel, { poll }: { poll: Poll }): ConfirmedChannel =>
  mapPoll(state, poll.id, (known) =>
    known && known.version > poll.version ? known : keepVotes(poll, known?.own_votes),
  );

const pollDeleted: Reducer<'poll.deleted'> = (state, { poll }) => mapPoll(state, poll.id, () => undefined);

const ownVotes: Reducer<'notification.poll_own_votes'> = (state, { poll_id, own_votes }) =>
  mapPoll(state, poll_id, (known) => known && { ...known, own_votes }, true);

export const pollsReducers = {
  'poll.updated': pollTold,
  'poll.closed': pollTold,
  'poll.vote_casted': pollTold,
  'poll.vote_changed': pollTold,
  'poll.vote_removed': pollTold,
  'poll.deleted': pollDeleted,
  'notification.poll_own_votes': ownVotes,
} satisfies Reducers;
