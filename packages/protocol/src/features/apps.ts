import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { doc, optional, record } from '../record.ts';
import { closed, nullable, Time } from '../schema.ts';
import { PermissionRuleSchema } from './roles.ts';

const app = Type.Object({
  name: doc('The name of the app.', Type.String()),
  revoke_tokens_issued_before: optional('Tokens issued before this time are refused.', Time),
  suspended: doc('Whether the app is suspended, so that calls of users are refused.', Type.Boolean()),
  guests_enabled: doc('Whether guests may sign in.', Type.Boolean()),
  anonymous_enabled: doc('Whether anonymous callers may connect and read.', Type.Boolean()),
  permissions: doc('The rules of the app that decide over `search-users`.', Type.Array(PermissionRuleSchema)),
  created_at: doc('When the app was created.', Time),
  updated_at: doc('When the settings last changed.', Time),
});
export interface App extends Static<typeof app> {}
const AppSchema = record<App>('App', app);

export const appsCalls = {
  'GET /app': call({
    side: 'S',
    limit: 'read',
    summary: 'The settings of the app',
    reply: Type.Object({ app: doc('The settings of the app.', AppSchema) }),
  }),
  'PATCH /app': call({
    side: 'S',
    limit: 'write',
    summary:
      'Change the settings; null clears `revoke_tokens_issued_before` and restores the default `permissions`',
    body: closed({
      name: optional('The new name of the app.', Type.String({ minLength: 1, maxLength: 128 })),
      revoke_tokens_issued_before: optional(
        'Refuse tokens issued before this time; null accepts them again.',
        nullable(Type.String({ maxLength: 40 })),
      ),
      suspended: optional('Whether to suspend the app, so that calls of users are refused.', Type.Boolean()),
      guests_enabled: optional('Whether guests may sign in.', Type.Boolean()),
      anonymous_enabled: optional('Whether anonymous callers may connect and read.', Type.Boolean()),
      permissions: optional(
        'The rules of the app; null restores the default rules.',
        nullable(Type.Array(PermissionRuleSchema, { maxItems: 100 })),
      ),
    }),
    reply: Type.Object({ app: doc('The settings after the change.', AppSchema) }),
  }),
};
