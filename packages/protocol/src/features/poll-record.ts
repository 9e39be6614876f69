/** The record is apart from the calls, because messages hold polls and the calls take messages. */
import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { doc, optional, record } from '../record.ts';
import { Cid, type CustomPoll, closed, Id, NewId, nullable, open, Time } from '../schema.ts';
import { UserSchema } from './users.ts';

const VotingVisibility = Type.Enum(['public', 'anonymous']);

const pollOption = Type.Object({
  id: doc('The id of the option.', Id),
  text: doc('The text of the option.', Type.String()),
});
export interface PollOption extends Static<typeof pollOption> {}
export const PollOptionSchema = record<PollOption>('PollOption', pollOption);

const pollVote = Type.Object({
  id: doc('The id of the vote.', Id),
  poll_id: doc('The poll of the vote.', Id),
  option_id: optional('The chosen option; absent for an answer.', Id),
  is_answer: doc('Whether it is an answer in words.', Type.Boolean()),
  answer_text: optional('The text of an answer.', Type.String()),
  user_id: optional('The id of the voter; in an anonymous poll only on own votes.', Id),
  user: optional('The voter; in an anonymous poll only on own votes.', UserSchema),
  created_at: doc('When the vote was cast.', Time),
  updated_at: doc('When the vote last changed.', Time),
});
/** A vote for an option, or an answer in words. */
export interface PollVote extends Static<typeof pollVote> {}
export const PollVoteSchema = record<PollVote>('PollVote', pollVote);

const poll = open({
  id: doc('The id of the poll, unique in the app.', Id),
  name: doc('The question.', Type.String()),
  description: optional('More about the question.', Type.String()),
  options: doc('The options to vote for.', Type.Array(PollOptionSchema)),
  voting_visibility: doc('Whether others see who voted for what.', VotingVisibility),
  enforce_unique_vote: doc('Whether each user may vote for one option only.', Type.Boolean()),
  max_votes_allowed: optional('The maximum number of options that a user may vote for.', Type.Integer()),
  allow_user_suggested_options: doc('Whether users may add options.', Type.Boolean()),
  allow_answers: doc('Whether users may answer in words.', Type.Boolean()),
  is_closed: doc('Whether voting has ended.', Type.Boolean()),
  end_at: optional('When voting ends by itself.', Time),
  vote_count: doc('The number of votes.', Type.Integer()),
  vote_counts_by_option: doc('The number of votes, by option.', Type.Record(Type.String(), Type.Integer())),
  latest_votes_by_option: doc(
    'The latest votes, by option.',
    Type.Record(Type.String(), Type.Array(PollVoteSchema)),
  ),
  answers_count: doc('The number of answers.', Type.Integer()),
  latest_answers: doc('The latest answers.', Type.Array(PollVoteSchema)),
  own_votes: optional('The votes of the reader; in replies, never in events.', Type.Array(PollVoteSchema)),
  version: doc('Grows with every change and every vote.', Type.Integer()),
  created_by_id: doc('The id of the user who created the poll.', Id),
  created_by: optional('The user who created the poll.', UserSchema),
  message_id: optional('The message that holds the poll.', Id),
  cid: optional('The channel of that message.', Cid),
  created_at: doc('When the poll was created.', Time),
  updated_at: doc('When the poll last changed.', Time),
});
export interface Poll extends Static<typeof poll>, CustomPoll {}
export const PollSchema = record<Poll>('Poll', poll);

const pollOptionInput = closed({
  id: optional('The id of the option; the server chooses one if it is left out.', NewId),
  text: optional('The text of the option.', Type.String({ maxLength: limits.pollOptionLength })),
});
/** An option of a poll that is being written. */
export interface PollOptionInput extends Static<typeof pollOptionInput> {}

export const pollInputProperties = {
  id: optional('The id of the poll; the server chooses one if it is left out.', NewId),
  name: optional('The question.', Type.String({ maxLength: limits.pollNameLength })),
  description: optional('More about the question.', Type.String({ maxLength: limits.pollDescriptionLength })),
  options: optional(
    'The options to vote for.',
    Type.Array(Type.Unsafe<PollOptionInput>(pollOptionInput), { maxItems: limits.pollOptions }),
  ),
  voting_visibility: optional('Whether others see who voted for what.', VotingVisibility),
  enforce_unique_vote: optional('Whether each user may vote for one option only.', Type.Boolean()),
  max_votes_allowed: optional(
    'The maximum number of options that a user may vote for, from 2 to 10.',
    Type.Unknown(),
  ),
  allow_user_suggested_options: optional('Whether users may add options.', Type.Boolean()),
  allow_answers: optional('Whether users may answer in words.', Type.Boolean()),
  is_closed: optional('Whether voting has ended.', Type.Boolean()),
  end_at: optional('When voting ends by itself; null for no end.', nullable(Time)),
};
const pollInput = open(pollInputProperties);
type PollInputFields = Omit<Static<typeof pollInput>, 'max_votes_allowed'>;
/** The fields of a poll that a caller may set. The service checks them against the rules of polls. */
export interface PollInput extends PollInputFields, Partial<CustomPoll> {
  /** The maximum number of options that a user may vote for, from 2 to 10. */
  max_votes_allowed?: number | null;
}
export const PollInputSchema = record<PollInput>('PollInput', pollInput);
