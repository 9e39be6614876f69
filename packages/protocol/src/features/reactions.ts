import { Type } from 'typebox';
import { call } from '../call.ts';
import { closed, Next, queryProperties, ReplySeq } from '../schema.ts';
import { MessageSchema } from './messages.ts';
import { ReactionInputSchema, ReactionSchema, ReactionType } from './reaction-record.ts';
import { UserSchema } from './users.ts';

export const reactionsCalls = {
  'POST /messages/{id}/reaction': call({
    side: 'CS',
    limit: 'write',
    summary: 'React to a message; the same type again updates its score',
    status: 201,
    body: closed({ reaction: ReactionInputSchema, enforce_unique: Type.Optional(Type.Boolean()) }),
    reply: Type.Object({ reaction: ReactionSchema, message: MessageSchema, seq: ReplySeq }),
  }),
  'DELETE /messages/{id}/reaction/{type}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Take a reaction back',
    path: { type: ReactionType },
    reply: Type.Object({ reaction: ReactionSchema, message: MessageSchema, seq: ReplySeq }),
  }),
  'POST /messages/{id}/reactions/query': call({
    side: 'CS',
    limit: 'read',
    summary: 'Who reacted, newest first',
    body: closed(queryProperties),
    reply: Type.Object({ reactions: Type.Array(ReactionSchema), next: Next }),
  }),
};

const reactionEvent = Type.Object({
  message: MessageSchema,
  reaction: ReactionSchema,
  user: Type.Optional(UserSchema),
});

export const reactionsEvents = {
  'reaction.new': reactionEvent,
  'reaction.updated': reactionEvent,
  'reaction.deleted': reactionEvent,
};
