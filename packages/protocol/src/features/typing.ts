import { Type } from 'typebox';
import { call } from '../call.ts';
import { closed, Id, open } from '../schema.ts';
import { UserSchema } from './users.ts';

export const typingCalls = {
  'POST /channels/{type}/{id}/event': call({
    side: 'CS',
    limit: 'event',
    summary: 'Send typing.start, typing.stop or a custom event; kept nowhere',
    body: closed({
      event: open({
        type: Type.String({
          minLength: 1,
          maxLength: 64,
          pattern: '^[a-z0-9_.-]+$',
          errorText: 'must be 1 to 64 of a–z 0–9 _ . -',
        }),
        parent_id: Type.Optional(Id),
      }),
    }),
    reply: Type.Object({}),
  }),
};

const typing = Type.Object({ user: UserSchema, parent_id: Type.Optional(Id) });

export const typingEvents = { 'typing.start': typing, 'typing.stop': typing };
