import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { doc, optional, record } from '../record.ts';
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

const userProperties = {
  id: doc('The id of the user, unique in the app.', Id),
  name: optional('The name to show.', Name),
  image: optional("The URL of the user's picture.", Url),
  role: doc('The role of the user in the app.', Type.String()),
  created_at: doc('When the user was created.', Time),
  updated_at: doc('When the user last changed.', Time),
  last_active: optional('When the user was last connected.', Time),
  online: optional('Whether the user is connected; present where presence was asked for.', Type.Boolean()),
  banned: optional('Whether the user is banned from the app.', Type.Boolean()),
  deactivated_at: optional('When the user was deactivated.', Time),
  deleted_at: optional('When the user was deleted.', Time),
};
const user = open(userProperties);
export interface User extends Static<typeof user>, CustomUser {}
export const UserSchema = record<User>('User', user);

const userInput = open({
  id: doc('The id of the user.', NewId),
  name: optional('The name to show.', Name),
  image: optional("The URL of the user's picture.", Url),
  role: optional(
    'The role of the user in the app; only a server may set it.',
    Type.String({ maxLength: 64 }),
  ),
});
/** The fields of a user that a caller may set. */
export interface UserInput extends Static<typeof userInput>, Partial<CustomUser> {}
export const UserInputSchema = record<UserInput>('UserInput', userInput);

const ownUser = open({
  ...userProperties,
  unread_count: doc('The number of unread messages in all channels.', Type.Integer()),
  unread_channels: doc('The number of channels with unread messages.', Type.Integer()),
  unread_threads: doc('The number of followed threads with unread replies.', Type.Integer()),
  mutes: doc('The users that the user has muted.', Type.Array(Type.Unknown())),
  channel_mutes: doc('The channels that the user has muted.', Type.Array(ChannelMuteSchema)),
  blocked_user_ids: doc('The ids of the users that the user has blocked.', Type.Array(Type.String())),
  devices: doc('The devices registered for push notifications.', Type.Array(Type.Unknown())),
  privacy_settings: doc('What the user shares with others.', Type.Record(Type.String(), Type.Unknown())),
});
/** The signed-in user, with what only they may see. */
export interface OwnUser extends Static<typeof ownUser>, CustomUser {}
export const OwnUserSchema = record<OwnUser>('OwnUser', ownUser);

const UserPatch = closed({
  id: doc('The id of the user to change.', Id),
  set: optional('The fields to change, with their new values.', Type.Record(Type.String(), Type.Unknown())),
  unset: optional('The names of the fields to remove.', Type.Array(Type.String({ maxLength: 64 }))),
  revoke_tokens_issued_before: optional(
    'Refuse tokens of the user issued before this time; null accepts them again.',
    nullable(Type.String({ maxLength: 40 })),
  ),
});

const usersReply = Type.Object({
  users: doc('The users after the change, by their ids.', Type.Record(Type.String(), UserSchema)),
});
const usersPage = Type.Object({ users: doc('The users found.', Type.Array(UserSchema)), next: Next });
const userReply = Type.Object({ user: doc('The user after the change.', UserSchema) });
const userEvent = Type.Object({ user: doc('The user as they are now.', UserSchema) });

export const usersCalls = {
  'POST /users': call({
    side: 'CS',
    limit: 'write',
    summary: 'Create or update users; a client only itself',
    status: 201,
    body: closed({
      users: doc(
        'The users to create or update, by their ids.',
        Type.Record(Type.String(), UserInputSchema, { maxProperties: limits.usersPerCall }),
      ),
    }),
    reply: usersReply,
  }),
  'PATCH /users': call({
    side: 'CS',
    limit: 'write',
    summary: 'Partly update users; a client only itself',
    body: closed({
      users: doc(
        'The changes, one for each user.',
        Type.Array(UserPatch, { minItems: 1, maxItems: limits.usersPerCall }),
      ),
    }),
    reply: usersReply,
  }),
  'GET /users': call({
    side: 'CS',
    limit: 'read',
    summary: 'Query users; `payload` is the JSON of a query',
    query: closed({
      payload: optional(
        'The query as JSON, as the body of `POST /users/query`.',
        Type.String({ maxLength: 16_384 }),
      ),
    }),
    reply: usersPage,
  }),
  'POST /users/query': call({
    side: 'CS',
    limit: 'read',
    summary: 'Query users',
    body: closed({
      ...queryProperties,
      presence: optional('Whether to be notified when the users go online and offline.', Type.Boolean()),
    }),
    reply: usersPage,
  }),
  'POST /users/{id}/deactivate': call({
    side: 'S',
    limit: 'write',
    summary: 'Deactivate a user: no call of theirs is accepted until reactivated',
    body: closed({}),
    reply: userReply,
  }),
  'POST /users/{id}/reactivate': call({
    side: 'S',
    limit: 'write',
    summary: 'Reactivate a user',
    body: closed({}),
    reply: userReply,
  }),
  'POST /guest': call({
    side: 'public',
    limit: 'auth',
    summary:
      'Make a guest and its token, which ends after 7 days; with `access_token` a new one of the same guest',
    status: 201,
    body: closed({
      user: doc('The guest to create.', UserInputSchema),
      access_token: optional(
        'A token of the same guest, to get a new one.',
        Type.String({ maxLength: 8192 }),
      ),
    }),
    reply: Type.Object({
      user: doc('The guest.', UserSchema),
      access_token: doc('The token of the guest.', Type.String()),
    }),
  }),
  'POST /dev/token': call({
    side: 'public',
    limit: 'auth',
    summary: 'A token for any user; exists only in demo mode',
    status: 201,
    body: closed({
      user_id: doc('The user to sign in as.', NewId),
      name: optional('The name of the user, if they are new.', Name),
    }),
    reply: Type.Object({
      access_token: doc('The token of the user.', Type.String()),
      user: doc('The user.', UserSchema),
    }),
  }),
  'GET /dev/users': call({
    side: 'public',
    limit: 'read',
    summary: 'The demo people to sign in as; exists only in demo mode',
    reply: Type.Object({ users: doc('The users of the demo.', Type.Array(UserSchema)) }),
  }),
};

export const usersEvents = { 'user.updated': userEvent, 'user.deleted': userEvent };
