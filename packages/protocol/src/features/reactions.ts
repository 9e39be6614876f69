import { Type } from 'typebox';
import { call } from '../call.ts';
import { doc, optional } from '../record.ts';
import { closed, Next, queryProperties, ReplySeq } from '../schema.ts';
import { MessageSchema } from './message-record.ts';
import { ReactionInputSchema, ReactionSchema, ReactionType } from './reaction-record.ts';
import { UserSchema } from './users.ts';

const reply = Type.Object({
  reaction: doc('The reaction.', ReactionSchema),
  message: doc('The message after the change.', MessageSchema),
  seq: ReplySeq,
});

export const reactionsCalls = {
  'POST /messages/{id}/reaction': call({
    side: 'CS',
    limit: 'write',
    summary: 'React to a message; the same type again updates its score',
    status: 201,
    body: closed({
      reaction: doc('The reaction to add.', ReactionInputSchema),
      enforce_unique: optional(
        'Whether the reaction replaces all others of the user on the message.',
        Type.Boolean(),
      ),
    }),
    reply,
  }),
  'DELETE /messages/{id}/reaction/{type}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Take a reaction back',
    path: { type: doc('The type of the reaction.', ReactionType) },
    reply,
  }),
  'POST /messages/{id}/reactions/query': call({
    side: 'CS',
    limit: 'read',
    summary: 'Who reacted, newest first',
    body: closed({ ...queryProperties }),
    reply: Type.Object({ reactions: doc('The reactions found.', Type.Array(ReactionSchema)), next: Next }),
  }),
};

const reactionEvent = Type.Object({
  message: doc('The message after the change.', MessageSchema),
  reaction: doc('The reaction that was added, changed or removed.', ReactionSchema),
  user: optional('The user who reacted.', UserSchema),
});

export const reactionsEvents = {
  'reaction.new': reactionEvent,
  'reaction.updated': reactionEvent,
  'reaction.deleted': reactionEvent,
};
