import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { closed, nullable, Time } from '../schema.ts';
import { PermissionRuleSchema } from './roles.ts';

const AppSchema = Type.Object({
  name: Type.String(),
  revoke_tokens_issued_before: Type.Optional(Time),
  suspended: Type.Boolean(),
  guests_enabled: Type.Boolean(),
  anonymous_enabled: Type.Boolean(),
  /** Rules of the app over `search-users`. */
  permissions: Type.Array(PermissionRuleSchema),
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
    summary:
      'Change the settings; null clears `revoke_tokens_issued_before` and brings back the default `permissions`',
    body: closed({
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
      revoke_tokens_issued_before: Type.Optional(nullable(Type.String({ maxLength: 40 }))),
      suspended: Type.Optional(Type.Boolean()),
      guests_enabled: Type.Optional(Type.Boolean()),
      anonymous_enabled: Type.Optional(Type.Boolean()),
      permissions: Type.Optional(nullable(Type.Array(PermissionRuleSchema, { maxItems: 100 }))),
    }),
    reply: Type.Object({ app: AppSchema }),
  }),
};
