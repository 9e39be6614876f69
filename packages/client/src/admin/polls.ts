import type { BodyOf, Poll, PollInput, PollOption, PollVote, ReplyOf } from '@parley/protocol';
import { checkObject } from '../cid.ts';
import { checkPollInput } from '../features/polls/notices.ts';
import type { Http } from '../http/http.ts';

type VoteQuery = BodyOf<'POST /polls/{id}/votes'>;
type VotePage = ReplyOf<'POST /polls/{id}/votes'>;
/** A poll, the message that carries it, and the voter. */
export type VotePlace = { messageId: string; pollId: string; userId: string };

const createVotes = (http: Http) => ({
  /** Votes as a user, for an option or in words. */
  vote: async (
    place: VotePlace,
    vote: BodyOf<'POST /messages/{id}/polls/{poll_id}/vote'>['vote'],
  ): Promise<PollVote> => {
    checkObject('place', place);
    const { messageId: id, pollId: poll_id, userId } = place;
    const call = { path: { id, poll_id }, body: { vote }, actor: userId };
    return (await http.call('POST /messages/{id}/polls/{poll_id}/vote', call)).vote;
  },
  /** Removes a vote of a user. */
  unvote: async (place: VotePlace, voteId: string): Promise<PollVote> => {
    checkObject('place', place);
    const { messageId: id, pollId: poll_id, userId } = place;
    const call = { path: { id, poll_id, vote_id: voteId }, actor: userId };
    return (await http.call('DELETE /messages/{id}/polls/{poll_id}/vote/{vote_id}', call)).vote;
  },
  /** The votes of a poll, newest first. */
  votes: (id: string, query: VoteQuery = {}, userId?: string): Promise<VotePage> =>
    http.call('POST /polls/{id}/votes', { path: { id }, body: query, actor: userId }),
  /** The answers of a poll, newest first. */
  answers: (id: string, { filter, ...query }: VoteQuery = {}, userId?: string): Promise<VotePage> =>
    http.call('POST /polls/{id}/votes', {
      path: { id },
      body: { ...query, filter: { ...filter, is_answer: true } },
      actor: userId,
    }),
});

const createOptions = (http: Http) => ({
  options: {
    /** Adds an option to a poll. */
    add: async (id: string, text: string, userId?: string): Promise<PollOption> =>
      (await http.call('POST /polls/{id}/options', { path: { id }, body: { text }, actor: userId }))
        .poll_option,
    /** Changes the text of an option; its votes stay. */
    update: async (id: string, option: PollOption, userId?: string): Promise<PollOption> =>
      (await http.call('PUT /polls/{id}/options', { path: { id }, body: option, actor: userId })).poll_option,
    /** One option of a poll. */
    get: async (id: string, option_id: string, userId?: string): Promise<PollOption> => {
      const call = { path: { id, option_id }, actor: userId };
      return (await http.call('GET /polls/{id}/options/{option_id}', call)).poll_option;
    },
    /** Deletes an option with its votes. */
    delete: async (id: string, option_id: string, userId?: string): Promise<void> => {
      await http.call('DELETE /polls/{id}/options/{option_id}', { path: { id, option_id }, actor: userId });
    },
  },
});

/** Polls by the server; the last parameter names the user it acts for. */
export const createAdminPolls = (http: Http) => {
  const patch = async (
    id: string,
    set: Partial<PollInput>,
    unset: string[] = [],
    userId?: string,
  ): Promise<Poll> =>
    (await http.call('PATCH /polls/{id}', { path: { id }, body: { set, unset }, actor: userId })).poll;
  return {
    /** Checked as people's polls are, before anything is sent. */
    create: async (input: PollInput, userId: string): Promise<Poll> => {
      checkPollInput(input);
      return (await http.call('POST /polls', { body: input, actor: userId })).poll;
    },
    /** Replaces the fields of a poll; options keep their votes by their ids. */
    update: async (input: PollInput & { id: string }, userId?: string): Promise<Poll> => {
      checkPollInput(input);
      return (await http.call('PUT /polls', { body: input, actor: userId })).poll;
    },
    /** One poll. */
    get: async (id: string, userId?: string): Promise<Poll> =>
      (await http.call('GET /polls/{id}', { path: { id }, actor: userId })).poll,
    /** Changes some fields of a poll. */
    patch,
    /** Ends the voting. */
    close: (id: string, userId?: string): Promise<Poll> => patch(id, { is_closed: true }, [], userId),
    /** Deletes a poll with its votes. */
    delete: async (id: string, userId?: string): Promise<void> => {
      await http.call('DELETE /polls/{id}', { path: { id }, actor: userId });
    },
    /** Finds polls by a filter, page by page. */
    query: (
      query: BodyOf<'POST /polls/query'> = {},
      userId?: string,
    ): Promise<ReplyOf<'POST /polls/query'>> =>
      http.call('POST /polls/query', { body: query, actor: userId }),
    ...createOptions(http),
    ...createVotes(http),
  };
};
