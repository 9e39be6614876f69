import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { closed, nullable, Time } from '../schema.ts';

const AppSchema = Type.Object({
  name: Type.String(),
  revoke_tokens_issued_before: Type.Optional(Time),
  suspended: Type.Boolean(),
  created_at: Time,
  updated_at: Time,
});
export type App = Static<typeof AppSchema>;

export const appsCalls = {
  'GET /app': call({
    side: 'S',
    limit: 'read',
    summary: 'The settings of the app',
    reply: Type.Object({ app: AppSchema }),
  }),
  'PATCH /app': call({
    side: 'S',
    limit: 'write',
    summary: 'Change the settings; `revoke_tokens_issued_before` null clears, a blank string is refused',
    body: closed({
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
      revoke_tokens_issued_before: Type.Optional(nullable(Type.String({ maxLength: 40 }))),
      suspended: Type.Optional(Type.Boolean()),
    }),
    reply: Type.Object({ app: AppSchema }),
  }),
};
