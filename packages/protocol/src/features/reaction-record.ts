/** Apart from the calls, because messages hold reactions and the calls answer with messages. */
import { type Static, Type } from 'typebox';
import { type CustomReaction, Id, open, Time } from '../schema.ts';
import { UserSchema } from './users.ts';

const length = { minLength: 1, maxLength: 32 };
const shape = 'must be 1 to 32 characters without spaces or any of / ? # %';
export const ReactionType = Type.String({ ...length, pattern: '^[^\\s/?#%]+$', errorText: shape });
/** As for ids: no URL can name "." and "..". */
const NewReactionType = Type.String({
  ...length,
  pattern: '^(?!\\.{1,2}$)[^\\s/?#%]+$',
  errorText: `${shape}, and other than "." and ".."`,
});

export const ReactionSchema = open({
  message_id: Id,
  user_id: Id,
  user: Type.Optional(UserSchema),
  type: ReactionType,
  score: Type.Integer(),
  created_at: Time,
  updated_at: Time,
});
export type Reaction = Static<typeof ReactionSchema> & CustomReaction;

export const ReactionGroupSchema = Type.Object({
  count: Type.Integer(),
  sum_scores: Type.Integer(),
  first_reaction_at: Time,
  last_reaction_at: Time,
});
export type ReactionGroup = Static<typeof ReactionGroupSchema>;

export const ReactionInputSchema = open({
  type: NewReactionType,
  score: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
});
