import type { BodyOf, MessageInput } from '@parley/protocol';
import { type Caller, createTestChat, type TestChat, type TestClient, until } from '@parley/testkit';
import { afterAll, beforeAll } from 'vitest';

export const people = ['ana', 'bo', 'cy', 'zed'] as const;
/** The limit is above the messages that any case writes: both clients then hold the whole channel. */
const pageSize = 100;

type Place = { type: string; id: string };
type ReactionChoice = { score?: number; unique?: boolean };

/** Raw acts of one person in one channel. */
const createPerson = (caller: Caller, path: Place) => ({
  caller,
  send: async (message: MessageInput): Promise<string> => {
    const reply = await caller.call('POST /channels/{type}/{id}/message', { path, body: { message } });
    return reply.message.id;
  },
  edit: (id: string, text: string) =>
    caller.call('PUT /messages/{id}', { path: { id }, body: { message: { text } } }),
  remove: (id: string, { hard = false } = {}) =>
    caller.call('DELETE /messages/{id}', { path: { id }, query: { hard: String(hard) } }),
  undelete: (id: string) => caller.call('POST /messages/{id}/undelete', { path: { id }, body: {} }),
  react: (id: string, type: string, { score = 1, unique = false }: ReactionChoice = {}) =>
    caller.call('POST /messages/{id}/reaction', {
      path: { id },
      body: { reaction: { type, score }, enforce_unique: unique },
    }),
  unreact: (id: string, type: string) =>
    caller.call('DELETE /messages/{id}/reaction/{type}', { path: { id, type } }),
  read: (messageId?: string) =>
    caller.call('POST /channels/{type}/{id}/read', {
      path,
      body: messageId === undefined ? {} : { message_id: messageId },
    }),
  markUnread: (messageId: string) =>
    caller.call('POST /channels/{type}/{id}/unread', { path, body: { message_id: messageId } }),
  clearHistory: () => caller.call('POST /channels/{type}/{id}/hide', { path, body: { clear_history: true } }),
  delivered: (id: string) =>
    caller.call('POST /channels/delivered', {
      body: { latest_delivered_messages: [{ cid: `${path.type}:${path.id}`, id }] },
    }),
  change: (body: BodyOf<'POST /channels/{type}/{id}'>) =>
    caller.call('POST /channels/{type}/{id}', { path, body }),
  patch: (set: Record<string, unknown>, unset: string[] = []) =>
    caller.call('PATCH /channels/{type}/{id}', { path, body: { set, unset } }),
  patchMember: (set: Record<string, unknown>, userId?: string) =>
    caller.call('PATCH /channels/{type}/{id}/member', {
      path,
      body: { set, ...(userId === undefined ? {} : { target_user_id: userId }) },
    }),
  truncate: (message?: MessageInput) =>
    caller.call('POST /channels/{type}/{id}/truncate', { path, body: message ? { message } : {} }),
  deleteChannel: ({ hard = false } = {}) =>
    caller.call('DELETE /channels/{type}/{id}', { path, query: { hard_delete: String(hard) } }),
});
export type Person = ReturnType<typeof createPerson>;

export type World = { chat: TestChat; callers: Record<(typeof people)[number] | 'server', Caller> };

const openWorld = async (): Promise<World> => {
  const chat = await createTestChat({ users: [...people, 'dee'] });
  // Four members are the most: with a fifth marks become counts.
  await chat.admin.channelTypes.create({ name: 'hall', marks_limit: people.length });
  const [server, ana, bo, cy, zed] = await Promise.all([
    chat.as(),
    ...people.map((person) => chat.as(person)),
  ]);
  if (!server || !ana || !bo || !cy || !zed) throw new Error('A caller is missing');
  return { chat, callers: { server, ana, bo, cy, zed } };
};

/** One server for the cases of a file. */
export const setUpWorld = (): (() => World) => {
  let world: World | undefined;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world?.chat.stop());
  return () => {
    if (!world) throw new Error('The world is not open yet');
    return world;
  };
};

/** A client of the observer. It reports no deliveries by itself, so that the log stands still when nobody acts. */
export const connectObserver = async (
  { chat }: World,
  { user = 'ana', windowSize = 500 } = {},
): Promise<TestClient> => {
  const made = await chat.connect(user, { pageSize, windowSize });
  made.faults.onCall((url) => (url.includes('/channels/delivered') ? 'refuse' : undefined));
  return made;
};

/** A channel of its own with a short history: one message of each of ana, bo and cy. */
export const createScene = async (world: World, type = 'messaging') => {
  const id = crypto.randomUUID();
  const { callers } = world;
  await callers.server.call('POST /channels/{type}/{id}/query', {
    path: { type, id },
    query: { user_id: 'bo' },
    body: { data: { name: 'Scene', members: [...people], created_by_id: 'bo' } },
  });
  const place = { type, id };
  const [ana, bo, cy, zed, server] = (['ana', 'bo', 'cy', 'zed', 'server'] as const).map((name) =>
    createPerson(callers[name], place),
  ) as [Person, Person, Person, Person, Person];
  const first = await ana.send({ text: 'first, by Ana' });
  const second = await bo.send({ text: 'second, by Bo' });
  const third = await cy.send({ text: 'third, by Cy' });
  return { world, cid: `${type}:${id}`, ...place, ana, bo, cy, zed, server, first, second, third };
};
export type Scene = Awaited<ReturnType<typeof createScene>>;

/** Waits until a table of the server, such as the one of its unpublished votes, has no such rows left. */
export const untilNoRows = ({ world }: Scene, rows: string): Promise<true> => {
  const { pool } = world.chat.server.kernel.pools;
  return until(async () => (await pool.query(`select from ${rows} limit 1`)).rowCount === 0, rows);
};

export const closeClient = ({ client }: TestClient): Promise<void> =>
  client.disconnect().catch(() => undefined);
