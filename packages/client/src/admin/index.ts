/** The client of a server: it makes calls with the app's secret, for any user. A browser must never load it. */
import type {
  App,
  BodyOf,
  ChannelInput,
  MemberInput,
  Message,
  MessageInput,
  User,
  UserInput,
} from '@parley/protocol';
import { ParleyError } from '@parley/protocol/errors';
import { times } from '@parley/protocol/limits';
import { fromCid, toCid } from '../cid.ts';
import { defaultEnvironment, type Environment } from '../environment.ts';
import { createTaskCalls } from '../features/tasks/calls.ts';
import { createHttp, type Http } from '../http/http.ts';
import { checkBaseUrl, checkSeconds, checkUserId, checkUsers } from './checks.ts';
import { createAdminPolls } from './polls.ts';
import { type Since, sinceText } from './revocation.ts';
import { createSigner } from './server-token.ts';

export { ParleyError } from '@parley/protocol/errors';
export type { Since } from './revocation.ts';

export type AdminOptions = {
  apiKey: string;
  secret: string;
  baseUrl: string;
  httpTimeout?: number;
  environment?: Partial<Environment>;
};

const createUsers = (http: Http) => ({
  /** Creates users, or updates those that exist. */
  upsert: async (users: UserInput[]): Promise<Record<string, User>> => {
    checkUsers(users);
    const byId = Object.fromEntries(users.map((user) => [user.id, user]));
    const reply = await http.call('POST /users', { body: { users: byId } });
    return reply.users;
  },
  /** Changes some fields of users. */
  patch: async (users: BodyOf<'PATCH /users'>['users']): Promise<Record<string, User>> => {
    const reply = await http.call('PATCH /users', { body: { users } });
    return reply.users;
  },
  /** Finds users by a filter, page by page. */
  query: (query: BodyOf<'POST /users/query'>) => http.call('POST /users/query', { body: query }),
  /** Refuses every call of a user until they are reactivated. */
  deactivate: async (id: string) =>
    (await http.call('POST /users/{id}/deactivate', { path: { id }, body: {} })).user,
  /** Accepts the calls of a deactivated user again. */
  reactivate: async (id: string) =>
    (await http.call('POST /users/{id}/reactivate', { path: { id }, body: {} })).user,
});

const createChannels = (http: Http) => ({
  /** Gets or makes; `createdById` names the user it is made for. */
  create: async (type: string, id: string, data: ChannelInput & { created_by_id: string }) => {
    toCid(type, id);
    const reply = await http.call('POST /channels/{type}/{id}/query', {
      path: { type, id },
      body: { data, state: true },
    });
    return reply;
  },
  /** Finds channels by a filter, as the server or as a user. */
  query: (query: BodyOf<'POST /channels'>, actor?: string) =>
    http.call('POST /channels', { body: query, actor }),
  /** Replaces the data of a channel or changes its members. */
  update: async (cid: string, body: BodyOf<'POST /channels/{type}/{id}'>) =>
    (await http.call('POST /channels/{type}/{id}', { path: fromCid(cid), body })).channel,
  /** Changes some fields of a channel. */
  patch: async (cid: string, set: Record<string, unknown>, unset: string[] = []) =>
    (await http.call('PATCH /channels/{type}/{id}', { path: fromCid(cid), body: { set, unset } })).channel,
  /** Adds members to a channel. */
  addMembers: async (cid: string, members: MemberInput[]) => {
    await http.call('POST /channels/{type}/{id}', { path: fromCid(cid), body: { add_members: members } });
  },
  /** Removes members from a channel. */
  removeMembers: async (cid: string, ids: string[]) => {
    await http.call('POST /channels/{type}/{id}', { path: fromCid(cid), body: { remove_members: ids } });
  },
  /** Deletes a channel; `hard` removes it with its messages for good. */
  delete: async (cid: string, { hard = false } = {}) => {
    const query = hard ? { hard_delete: 'true' as const } : {};
    await http.call('DELETE /channels/{type}/{id}', { path: fromCid(cid), query });
  },
  /** Deletes many as a task, which `tasks.wait` follows; resolves to its id. The task's `result.channels` says `deleted` or
   * `gone` of each. */
  deleteMany: async (cids: string[], { hard = false } = {}): Promise<string> =>
    (await http.call('POST /channels/delete', { body: { cids, hard_delete: hard } })).task_id,
  /** Removes all messages of a channel, optionally leaving one in their place. */
  truncate: async (cid: string, message?: MessageInput) => {
    const body = message ? { message } : {};
    await http.call('POST /channels/{type}/{id}/truncate', { path: fromCid(cid), body });
  },
});

const createMessages = (http: Http) => ({
  /** Sends as a user; `pending` keeps it back until its commit. */
  send: async (
    cid: string,
    userId: string,
    message: MessageInput,
    { pending = false } = {},
  ): Promise<Message> => {
    const body = { message: { ...message, user_id: userId }, ...(pending && { pending }) };
    const reply = await http.call('POST /channels/{type}/{id}/message', { path: fromCid(cid), body });
    return reply.message;
  },
  /** Publishes a pending message. */
  commit: async (id: string): Promise<Message> =>
    (await http.call('POST /messages/{id}/commit', { path: { id }, body: {} })).message,
  /** One message. */
  get: async (id: string) => (await http.call('GET /messages/{id}', { path: { id } })).message,
  /** Changes some fields of a message. */
  patch: async (id: string, set: Record<string, unknown>, unset: string[] = []) =>
    (await http.call('PATCH /messages/{id}', { path: { id }, body: { set, unset } })).message,
  /** Deletes a message; `hard` removes it for good. */
  delete: async (id: string, { hard = false } = {}) => {
    await http.call('DELETE /messages/{id}', { path: { id }, query: hard ? { hard: 'true' as const } : {} });
  },
});

const createPermissions = (http: Http) => ({
  channelTypes: {
    /** All channel types, by their names. */
    list: async () => (await http.call('GET /channeltypes', {})).channel_types,
    /** One channel type. */
    get: async (name: string) =>
      (await http.call('GET /channeltypes/{name}', { path: { name } })).channel_type,
    /** Creates a channel type. */
    create: async (body: BodyOf<'POST /channeltypes'>) =>
      (await http.call('POST /channeltypes', { body })).channel_type,
    /** Changes a channel type. */
    update: async (name: string, body: BodyOf<'PUT /channeltypes/{name}'>) =>
      (await http.call('PUT /channeltypes/{name}', { path: { name }, body })).channel_type,
    /** Deletes a channel type that no channel has. */
    delete: async (name: string) => {
      await http.call('DELETE /channeltypes/{name}', { path: { name } });
    },
  },
  roles: {
    /** All roles. */
    list: async () => (await http.call('GET /roles', {})).roles,
    /** Creates a role. */
    create: async (name: string) => (await http.call('POST /roles', { body: { name } })).role,
    /** Deletes a role that nobody has. */
    delete: async (name: string) => {
      await http.call('DELETE /roles/{name}', { path: { name } });
    },
  },
  permissions: {
    /** All capabilities that a rule may name, with the two ready rules. */
    list: () => http.call('GET /permissions', {}),
  },
});

const createApp = (http: Http, onRevoked: () => void) => ({
  app: {
    /** The settings of the app. */
    get: async () => (await http.call('GET /app', {})).app,
    /** Changes the settings of the app. */
    update: async (body: BodyOf<'PATCH /app'>) => (await http.call('PATCH /app', { body })).app,
  },
  /** Refuses every token of the app issued before a time; null lifts it. */
  revokeTokens: async (since: Since): Promise<App> => {
    const body = { revoke_tokens_issued_before: sinceText(since) };
    const { app } = await http.call('PATCH /app', { body });
    onRevoked();
    return app;
  },
  /** Refuses tokens of one user issued before a time; null lifts it. */
  revokeUserToken: async (userId: string, since: Since): Promise<void> => {
    const user = { id: userId, revoke_tokens_issued_before: sinceText(since) };
    await http.call('PATCH /users', { body: { users: [user] } });
  },
});

/** Makes the client of a server, which signs its calls with the secret: `createAdminClient({ apiKey, secret, baseUrl: 'https://chat.example.com/api' })`. */
export const createAdminClient = (options: AdminOptions) => {
  const { apiKey, secret, baseUrl, httpTimeout, environment }: AdminOptions = Object(options);
  const world = defaultEnvironment(environment);
  if (!apiKey) throw new ParleyError('ApiKeyInvalid', 'createAdminClient needs the apiKey of the app');
  if (!secret) throw new ParleyError('AuthenticationFailed', 'createAdminClient needs the secret of the app');
  const sign = createSigner(secret);
  let signed: { at: number; token: Promise<string> } | undefined;
  /** Signed anew after a second: one from before a revocation of the app's tokens would be refused. */
  const serverToken = (): Promise<string> => {
    const at = world.clock.now();
    if (!signed || at - signed.at > 1000) signed = { at, token: sign({ server: true, iat: at / 1000 }) };
    return signed.token;
  };
  const http = createHttp({
    baseUrl: checkBaseUrl(baseUrl),
    apiKey,
    auth: {
      headers: async () => ({ 'x-auth-type': 'jwt', authorization: await serverToken() }),
      expired: async () => false,
      accepted: () => {},
      session: () => undefined,
    },
    timeout: httpTimeout ?? times.httpTimeout,
    withCredentials: false,
    environment: world,
  });
  return {
    http,
    /** A token for a user; times are seconds since 1970. */
    createToken: async (userId: string, exp?: number, iat?: number): Promise<string> => {
      checkUserId(userId);
      checkSeconds('exp', exp);
      checkSeconds('iat', iat);
      return sign({
        user_id: userId,
        // The time has milliseconds: a token made right after a revocation must not count as made before it.
        iat: iat ?? world.clock.now() / 1000,
        ...(exp === undefined ? {} : { exp }),
      });
    },
    users: createUsers(http),
    channels: createChannels(http),
    messages: createMessages(http),
    polls: createAdminPolls(http),
    tasks: createTaskCalls(http),
    ...createPermissions(http),
    ...createApp(http, () => {
      signed = undefined;
    }),
  };
};
export type AdminClient = ReturnType<typeof createAdminClient>;
