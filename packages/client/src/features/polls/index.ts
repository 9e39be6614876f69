/** The entry `@parley/client/polls`: polls, their options and votes. */
import type { BodyOf, MessageInput, Poll, PollInput, PollOption, PollVote, ReplyOf } from '@parley/protocol';
import { checkObject } from '../../cid.ts';
import type { Feature, FeatureCore } from '../../client.ts';
import type { MessageRef } from '../../sync/state.ts';
import { during } from '../../sync/store.ts';
import { checkPollInput } from './notices.ts';
import { type PendingVote, voteOp } from './pending.ts';

export type { Poll, PollInput, PollOption, PollVote } from '@parley/protocol';
export { type PollDraft, type PollNotices, parseMaxVotes, pollNotices } from './notices.ts';
export {
  canCreatePoll,
  canManagePoll,
  canSuggest,
  canVote,
  hasVotesLeft,
  ownAnswer,
  ownVoteFor,
} from './selectors.ts';

export type VoteQuery = BodyOf<'POST /polls/{id}/votes'>;
export type VotePage = ReplyOf<'POST /polls/{id}/votes'>;

/** Applies the poll of a reply like its event. A poll that no message holds yet is in no channel. */
const createTake =
  ({ confirm }: FeatureCore) =>
  (poll: Poll): Poll => {
    if (poll.cid !== undefined) confirm({ type: 'poll.updated', cid: poll.cid, poll });
    return poll;
  };
type Take = ReturnType<typeof createTake>;

/** Each vote is shown in the overlay of its channel until its reply is there. */
const createVoting = ({ http, store, environment }: FeatureCore, take: Take) => {
  const shown = async <T>(
    ref: MessageRef,
    pollId: string,
    vote: PendingVote,
    run: () => Promise<T>,
  ): Promise<T> => {
    checkObject('message', ref);
    return during(store, ref.cid, voteOp(`vote ${pollId} ${environment.uuid()}`, pollId, vote), run);
  };
  const cast = async (ref: MessageRef, pollId: string, vote: object): Promise<PollVote> => {
    const path = { id: ref.id, poll_id: pollId };
    const reply = await http.call('POST /messages/{id}/polls/{poll_id}/vote', { path, body: { vote } });
    take(reply.poll);
    return reply.vote;
  };
  return {
    /** Votes for an option; in a poll of one vote instead of the other. Shown at once. */
    vote: (ref: MessageRef, pollId: string, optionId: string): Promise<PollVote> =>
      shown(ref, pollId, { kind: 'option', optionId }, () => cast(ref, pollId, { option_id: optionId })),
    /** Answers in the voter's own words, in place of an earlier answer. */
    answer: (ref: MessageRef, pollId: string, text: string): Promise<PollVote> =>
      shown(ref, pollId, { kind: 'answer', text }, () => cast(ref, pollId, { answer_text: text })),
    /** Takes a vote or an answer back. */
    unvote: (ref: MessageRef, pollId: string, voteId: string): Promise<PollVote> =>
      shown(ref, pollId, { kind: 'back', voteId }, async () => {
        const key = 'DELETE /messages/{id}/polls/{poll_id}/vote/{vote_id}';
        const reply = await http.call(key, { path: { id: ref.id, poll_id: pollId, vote_id: voteId } });
        take(reply.poll);
        return reply.vote;
      }),
    /** The votes of a poll, newest first. */
    votes: (pollId: string, query: VoteQuery = {}): Promise<VotePage> =>
      http.call('POST /polls/{id}/votes', { path: { id: pollId }, body: query }),
    /** The answers of a poll, newest first. */
    answers: (pollId: string, { filter, ...query }: VoteQuery = {}): Promise<VotePage> =>
      http.call('POST /polls/{id}/votes', {
        path: { id: pollId },
        body: { ...query, filter: { ...filter, is_answer: true } },
      }),
  };
};

const createOptions = ({ http }: FeatureCore, take: Take) => ({
  /** Adds an option to a poll. */
  add: async (pollId: string, text: string): Promise<PollOption> => {
    const reply = await http.call('POST /polls/{id}/options', { path: { id: pollId }, body: { text } });
    take(reply.poll);
    return reply.poll_option;
  },
  /** Changes the text of an option; its votes stay. */
  update: async (pollId: string, option: PollOption): Promise<PollOption> => {
    const reply = await http.call('PUT /polls/{id}/options', { path: { id: pollId }, body: option });
    take(reply.poll);
    return reply.poll_option;
  },
  /** Loads one option of a poll. */
  get: async (pollId: string, optionId: string): Promise<PollOption> => {
    const path = { id: pollId, option_id: optionId };
    return (await http.call('GET /polls/{id}/options/{option_id}', { path })).poll_option;
  },
  /** Deletes an option with its votes. */
  delete: async (pollId: string, optionId: string): Promise<PollOption> => {
    const path = { id: pollId, option_id: optionId };
    const reply = await http.call('DELETE /polls/{id}/options/{option_id}', { path });
    take(reply.poll);
    return reply.poll_option;
  },
});

export type Polls = ReturnType<typeof createPolls>;

const createPolls = (core: FeatureCore) => {
  const { http, client } = core;
  const take = createTake(core);
  const create = async (input: PollInput): Promise<Poll> => {
    checkPollInput(input);
    return take((await http.call('POST /polls', { body: input })).poll);
  };
  const patch = async (id: string, set: Partial<PollInput>, unset: string[] = []): Promise<Poll> =>
    take((await http.call('PATCH /polls/{id}', { path: { id }, body: { set, unset } })).poll);
  return {
    /** Creates a poll without sending it. */
    create,
    /** Makes a poll and sends it; resolves when the message is stored. */
    send: async (cid: string, input: PollInput, message: Partial<MessageInput> = {}): Promise<Poll> => {
      const poll = await create(input);
      await client.messages.send(cid, { ...message, text: '', poll_id: poll.id });
      return poll;
    },
    /** Loads one poll from the server. */
    get: async (id: string): Promise<Poll> =>
      take((await http.call('GET /polls/{id}', { path: { id } })).poll),
    /** Replaces the fields of a poll; options keep their votes by their ids. */
    update: async (input: PollInput & { id: string }): Promise<Poll> => {
      checkPollInput(input);
      return take((await http.call('PUT /polls', { body: input })).poll);
    },
    /** Changes some fields of a poll. */
    patch,
    /** Ends the voting. */
    close: (id: string): Promise<Poll> => patch(id, { is_closed: true }),
    /** An end time that is over goes with it. */
    reopen: ({ id, end_at }: Poll): Promise<Poll> =>
      patch(id, { is_closed: false }, end_at === undefined ? [] : ['end_at']),
    /** Deletes a poll with its votes. */
    delete: async (id: string): Promise<void> =>
      void (await http.call('DELETE /polls/{id}', { path: { id } })),
    /** Finds polls by a filter, page by page. */
    query: (query: BodyOf<'POST /polls/query'>): Promise<ReplyOf<'POST /polls/query'>> =>
      http.call('POST /polls/query', { body: query }),
    options: createOptions(core, take),
    ...createVoting(core, take),
  };
};

/** The polls of a client. `message.poll` in the state of a channel shows own votes at once. */
export const polls: Feature<Polls> = { name: 'polls', create: createPolls };
