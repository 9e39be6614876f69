import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import {
  type CustomUser,
  closed,
  Id,
  Name,
  NewId,
  Next,
  nullable,
  open,
  queryProperties,
  Time,
  Url,
} from '../schema.ts';
import { ChannelMuteSchema } from './channel-preferences.ts';

export const UserSchema = open({
  id: Id,
  name: Type.Optional(Name),
  image: Type.Optional(Url),
  role: Type.String(),
  created_at: Time,
  updated_at: Time,
  last_active: Type.Optional(Time),
  online: Type.Optional(Type.Boolean()),
  banned: Type.Optional(Type.Boolean()),
  deactivated_at: Type.Optional(Time),
  deleted_at: Type.Optional(Time),
});
export type User = Static<typeof UserSchema> & CustomUser;

/** What a caller may say of a user; `role` only by the server. */
export const UserInputSchema = open({
  id: NewId,
  name: Type.Optional(Name),
  image: Type.Optional(Url),
  role: Type.Optional(Type.String({ maxLength: 64 })),
});
export type UserInput = Static<typeof UserInputSchema> & Partial<CustomUser>;

export const OwnUserSchema = open({
  ...UserSchema.properties,
  unread_count: Type.Integer(),
  unread_channels: Type.Integer(),
  unread_threads: Type.Integer(),
  mutes: Type.Array(Type.Unknown()),
  channel_mutes: Type.Array(ChannelMuteSchema),
  blocked_user_ids: Type.Array(Type.String()),
  devices: Type.Array(Type.Unknown()),
  privacy_settings: Type.Record(Type.String(), Type.Unknown()),
});
export type OwnUser = Static<typeof OwnUserSchema> & CustomUser;

const UserPatch = closed({
  id: Id,
  set: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  unset: Type.Optional(Type.Array(Type.String({ maxLength: 64 }))),
  revoke_tokens_issued_before: Type.Optional(nullable(Type.String({ maxLength: 40 }))),
});

const Users = Type.Record(Type.String(), UserSchema);

export const usersCalls = {
  'POST /users': call({
    side: 'CS',
    limit: 'write',
    summary: 'Create or update users; a client only itself',
    status: 201,
    body: closed({
      users: Type.Record(Type.String(), UserInputSchema, { maxProperties: limits.usersPerCall }),
    }),
    reply: Type.Object({ users: Users }),
  }),
  'PATCH /users': call({
    side: 'CS',
    limit: 'write',
    summary: 'Partly update users; a client only itself',
    body: closed({ users: Type.Array(UserPatch, { minItems: 1, maxItems: limits.usersPerCall }) }),
    reply: Type.Object({ users: Users }),
  }),
  'GET /users': call({
    side: 'CS',
    limit: 'read',
    summary: 'Query users; `payload` is the JSON of a query',
    query: closed({ payload: Type.Optional(Type.String({ maxLength: 16_384 })) }),
    reply: Type.Object({ users: Type.Array(UserSchema), next: Next }),
  }),
  'POST /users/query': call({
    side: 'CS',
    limit: 'read',
    summary: 'Query users',
    body: closed({ ...queryProperties, presence: Type.Optional(Type.Boolean()) }),
    reply: Type.Object({ users: Type.Array(UserSchema), next: Next }),
  }),
  'POST /users/{id}/deactivate': call({
    side: 'S',
    limit: 'write',
    summary: 'Deactivate a user: no call of theirs is accepted until reactivated',
    body: closed({}),
    reply: Type.Object({ user: UserSchema }),
  }),
  'POST /users/{id}/reactivate': call({
    side: 'S',
    limit: 'write',
    summary: 'Reactivate a user',
    body: closed({}),
    reply: Type.Object({ user: UserSchema }),
  }),
  'POST /guest': call({
    side: 'public',
    limit: 'auth',
    summary:
      'Make a guest and its token, which ends after 7 days; with `access_token` a new one of the same guest',
    status: 201,
    body: closed({ user: UserInputSchema, access_token: Type.Optional(Type.String({ maxLength: 8192 })) }),
    reply: Type.Object({ user: UserSchema, access_token: Type.String() }),
  }),
  'POST /dev/token': call({
    side: 'public',
    limit: 'auth',
    summary: 'A token for any user; exists only in demo mode',
    status: 201,
    body: closed({ user_id: NewId, name: Type.Optional(Name) }),
    reply: Type.Object({ access_token: Type.String(), user: UserSchema }),
  }),
  'GET /dev/users': call({
    side: 'public',
    limit: 'read',
    summary: 'The demo people to sign in as; exists only in demo mode',
    reply: Type.Object({ users: Type.Array(UserSchema) }),
  }),
};

export const usersEvents = {
  'user.updated': Type.Object({ user: UserSchema }),
  'user.deleted': Type.Object({ user: UserSchema }),
};
