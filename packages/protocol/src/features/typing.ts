import { Type } from 'typebox';
import { call } from '../call.ts';
import { doc, optional } from '../record.ts';
import { closed, Id, open } from '../schema.ts';
import { UserSchema } from './users.ts';

export const typingCalls = {
  'POST /channels/{type}/{id}/event': call({
    side: 'CS',
    limit: 'event',
    summary: 'Send typing.start, typing.stop or a custom event; kept nowhere',
    body: closed({
      event: doc(
        'The event; other keys are custom data that watchers receive.',
        open({
          type: doc(
            'The type of the event: `typing.start`, `typing.stop` or a type of your own.',
            Type.String({
              minLength: 1,
              maxLength: 64,
              pattern: '^[a-z0-9_.-]+$',
              errorText: 'must be 1 to 64 of a–z 0–9 _ . -',
            }),
          ),
          parent_id: optional('The parent message of the thread that the event is about.', Id),
        }),
      ),
    }),
    reply: Type.Object({}),
  }),
};

const typing = Type.Object({
  user: doc('The user who types or has stopped typing.', UserSchema),
  parent_id: optional('The parent message of the thread in which the user types.', Id),
});

export const typingEvents = { 'typing.start': typing, 'typing.stop': typing };
