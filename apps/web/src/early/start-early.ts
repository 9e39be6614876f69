import type { ChannelQuery } from '@parley/client';
import type { KeptChannel, Screen } from '@parley/client/channels';
import type { AppConfig } from '../app/config.ts';
import { queryOf } from '../chat/list-query.ts';
import type { KeptTyping } from '../keys/hand-over.ts';
import { createDevApi } from '../session/dev-api.ts';
import type { Session } from '../session/session.ts';
import { isExpired } from '../session/token-link.ts';
import { createKeptShelf } from './kept-shelf.ts';

/** The results of the calls that are made while the app itself is still loading. Each may fail; the app then asks in its own way. */
export type Begun = {
  /** The user that everything here belongs to. */
  userId: string;
  token: Promise<string>;
  screen: Promise<Screen | undefined>;
};

export type Early = {
  /** Names the build of the app. */
  version: string;
  begun?: Begun | undefined;
  typing?: KeptTyping | undefined;
};

export type EarlyWorld = {
  config: AppConfig;
  session: Session | undefined;
  /** The path of the address. */
  path: string;
  version: string;
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  fetch: typeof fetch;
  now: () => number;
};

type States = { channels: Omit<KeptChannel, 'has_older'>[] };

/** Asks without a connection: the client subscribes to the channels when it has one. */
const ask = async (
  { config, fetch: fetcher }: EarlyWorld,
  token: string,
  query: ChannelQuery,
): Promise<KeptChannel[]> => {
  const { messageLimit = 0, ...rest } = query;
  const reply = await fetcher('/api/channels', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': config.apiKey,
      'x-auth-type': 'jwt',
      authorization: token,
    },
    body: JSON.stringify({ ...rest, state: true, watch: false, message_limit: messageLimit }),
  });
  if (!reply.ok) throw new Error(`The server answered ${reply.status}`);
  const { channels }: States = await reply.json();
  return channels.map((state) => ({ ...state, has_older: state.messages.length >= messageLimit }));
};

const cidOf = (path: string): string | undefined => {
  const [type, id, more] = path.startsWith('/c/') ? path.slice(3).split('/').map(decodeURIComponent) : [];
  return type && id && more === undefined ? `${type}:${id}` : undefined;
};

/** The own user as the members name them. What only the user may see comes with the connection. */
const meIn = (channels: readonly KeptChannel[]): Screen['me'] | undefined => {
  const user = channels.find(({ membership }) => membership?.user)?.membership?.user;
  return (
    user && {
      ...user,
      ...{ unread_count: 0, unread_channels: 0, unread_threads: 0, privacy_settings: {} },
      ...{ mutes: [], channel_mutes: [], blocked_user_ids: [], devices: [] },
    }
  );
};

const loadScreen = async (world: EarlyWorld, userId: string, token: string): Promise<Screen | undefined> => {
  const query = queryOf(userId, false, 'chats');
  const cid = cidOf(world.path);
  const [listed, [opened]] = await Promise.all([
    ask(world, token, query),
    cid ? ask(world, token, { filter: { cid }, limit: 1, messageLimit: 25 }) : [],
  ]);
  const cids = listed.map(({ channel }) => channel.cid);
  const others = listed.filter(({ channel }) => channel.cid !== opened?.channel.cid);
  const me = meIn(listed);
  const channels = opened ? [...others, opened] : listed;
  return me?.id === userId ? { me, query, cids, channels } : undefined;
};

/** Begins the session of a user who is signed in: their token, and their first screen unless this device has kept it. */
export const startEarly = (world: EarlyWorld): Begun | undefined => {
  const { session, config, version } = world;
  if (session?.kind !== 'user' && session?.kind !== 'token') return undefined;
  const { id: userId } = session;
  // Only another sign-in helps: until then nothing of the user is shown.
  if (session.kind === 'token' && isExpired(session.token, world.now())) return undefined;
  const kept = createKeptShelf(world.storage, version, world.now).read(userId);
  const token =
    session.kind === 'token'
      ? Promise.resolve(session.token)
      : createDevApi(config.apiKey, world.fetch).token(userId, session.name);
  // One without channels was kept where none was up to date: it would leave the list empty until the connection.
  const screen = kept?.channels[0]
    ? Promise.resolve(kept)
    : token.then((value) => loadScreen(world, userId, value));
  // Nobody may be there yet to take a failure.
  for (const one of [token, screen]) one.catch(() => undefined);
  return { userId, token, screen };
};
