/** The record is apart from the calls, because messages hold reactions and the calls answer with messages. */
import { type Static, Type } from 'typebox';
import { doc, optional, record } from '../record.ts';
import { type CustomReaction, Id, open, Time } from '../schema.ts';
import { UserSchema } from './users.ts';

const length = { minLength: 1, maxLength: 32 };
const shape = 'must be 1 to 32 characters without spaces or any of / ? # %';
export const ReactionType = Type.String({ ...length, pattern: '^[^\\s/?#%]+$', errorText: shape });
/** No URL can name "." and "..", as with ids. */
const NewReactionType = Type.String({
  ...length,
  pattern: '^(?!\\.{1,2}$)[^\\s/?#%]+$',
  errorText: `${shape}, and other than "." and ".."`,
});

const reaction = open({
  message_id: doc('The message that was reacted to.', Id),
  user_id: doc('The id of the user who reacted.', Id),
  user: optional('The user who reacted.', UserSchema),
  type: doc('The type of the reaction, such as an emoji or `like`.', ReactionType),
  score: doc('The weight of the reaction; 1 unless set.', Type.Integer()),
  created_at: doc('When the user reacted.', Time),
  updated_at: doc('When the reaction last changed.', Time),
});
export interface Reaction extends Static<typeof reaction>, CustomReaction {}
export const ReactionSchema = record<Reaction>('Reaction', reaction);

const reactionGroup = Type.Object({
  count: doc('The number of reactions of the type.', Type.Integer()),
  sum_scores: doc('The sum of their scores.', Type.Integer()),
  first_reaction_at: doc('When the first of them was added.', Time),
  last_reaction_at: doc('When the last of them was added.', Time),
});
export interface ReactionGroup extends Static<typeof reactionGroup> {}
export const ReactionGroupSchema = record<ReactionGroup>('ReactionGroup', reactionGroup);

const reactionInput = open({
  type: doc('The type of the reaction, such as an emoji or `like`.', NewReactionType),
  score: optional('The weight of the reaction; 1 unless set.', Type.Integer({ minimum: 1, maximum: 1000 })),
});
export interface ReactionInput extends Static<typeof reactionInput> {}
export const ReactionInputSchema = record<ReactionInput>('ReactionInput', reactionInput);
