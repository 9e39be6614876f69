/** Apart from the calls, because messages hold polls and the calls take messages. */
import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { Cid, type CustomPoll, Id, NewId, open, Time } from '../schema.ts';
import { UserSchema } from './users.ts';

const VotingVisibility = Type.Enum(['public', 'anonymous']);

export const PollOptionSchema = Type.Object({ id: Id, text: Type.String() });
export type PollOption = Static<typeof PollOptionSchema>;

/** A vote for an option, or an answer in words. In anonymous polls only the voter's own name them. */
export const PollVoteSchema = Type.Object({
  id: Id,
  poll_id: Id,
  option_id: Type.Optional(Id),
  is_answer: Type.Boolean(),
  answer_text: Type.Optional(Type.String()),
  user_id: Type.Optional(Id),
  user: Type.Optional(UserSchema),
  created_at: Time,
  updated_at: Time,
});
export type PollVote = Static<typeof PollVoteSchema>;

export const PollSchema = open({
  id: Id,
  name: Type.String(),
  description: Type.Optional(Type.String()),
  options: Type.Array(PollOptionSchema),
  voting_visibility: VotingVisibility,
  enforce_unique_vote: Type.Boolean(),
  max_votes_allowed: Type.Optional(Type.Integer()),
  allow_user_suggested_options: Type.Boolean(),
  allow_answers: Type.Boolean(),
  is_closed: Type.Boolean(),
  end_at: Type.Optional(Time),
  vote_count: Type.Integer(),
  vote_counts_by_option: Type.Record(Type.String(), Type.Integer()),
  latest_votes_by_option: Type.Record(Type.String(), Type.Array(PollVoteSchema)),
  answers_count: Type.Integer(),
  latest_answers: Type.Array(PollVoteSchema),
  /** Personal: in replies, never in events. */
  own_votes: Type.Optional(Type.Array(PollVoteSchema)),
  /** Grows with every change and every vote. */
  version: Type.Integer(),
  created_by_id: Id,
  created_by: Type.Optional(UserSchema),
  message_id: Type.Optional(Id),
  cid: Type.Optional(Cid),
  created_at: Time,
  updated_at: Time,
});
export type Poll = Static<typeof PollSchema> & CustomPoll;

/** What a caller may say of a poll. The service holds it against the rules of polls, with their words. */
export const PollInputSchema = open({
  id: Type.Optional(NewId),
  name: Type.Optional(Type.String({ maxLength: limits.pollNameLength })),
  description: Type.Optional(Type.String({ maxLength: limits.pollDescriptionLength })),
  options: Type.Optional(
    Type.Array(
      Type.Object(
        {
          id: Type.Optional(NewId),
          text: Type.Optional(Type.String({ maxLength: limits.pollOptionLength })),
        },
        { additionalProperties: false },
      ),
      { maxItems: limits.pollOptions },
    ),
  ),
  voting_visibility: Type.Optional(VotingVisibility),
  enforce_unique_vote: Type.Optional(Type.Boolean()),
  max_votes_allowed: Type.Optional(Type.Unknown()),
  allow_user_suggested_options: Type.Optional(Type.Boolean()),
  allow_answers: Type.Optional(Type.Boolean()),
  is_closed: Type.Optional(Type.Boolean()),
  end_at: Type.Optional(Type.Union([Time, Type.Null()])),
});
export type PollInput = Omit<Static<typeof PollInputSchema>, 'max_votes_allowed'> & {
  max_votes_allowed?: number | null;
} & Partial<CustomPoll>;
