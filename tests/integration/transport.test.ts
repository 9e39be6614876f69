import { createServer, type Server, type Socket } from 'node:net';
import { type ClientOptions, createClient, NetworkError, type ParleyClient } from '@parley/client';
import { createTestChat, createTestClock, type TestChat, until } from '@parley/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { clientClock, pause } from './support.ts';

let chat: TestChat;
let blackHole: Server;
const held = new Set<Socket>();
const clients: ParleyClient[] = [];

beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
  // Takes every connection and never says a word.
  blackHole = createServer((socket) => {
    held.add(socket);
    socket.on('error', () => undefined);
    socket.resume();
  });
  await new Promise<void>((resolve) => blackHole.listen(0, '127.0.0.1', resolve));
});
afterEach(() => Promise.all(clients.splice(0).map((client) => client.disconnect())));
afterAll(async () => {
  for (const socket of held) socket.destroy();
  blackHole.close();
  await chat.stop();
});

const intoTheHole = (options: Partial<ClientOptions> = {}) => {
  const clock = createTestClock();
  const { port } = blackHole.address() as { port: number };
  const client = createClient({
    apiKey: 'k',
    baseUrl: `http://127.0.0.1:${port}/api`,
    log: { warn: () => undefined, error: () => undefined },
    environment: { clock: clientClock(clock), random: () => 0 },
    ...options,
  });
  clients.push(client);
  return { client, clock };
};

const outcome = (promise: Promise<unknown>) => {
  const result: { error?: Error } = {};
  promise.catch((error: Error) => {
    result.error = error;
  });
  return result;
};

test('C8 an HTTP call that gets no answer ends after 3 s', async () => {
  const { client, clock } = intoTheHole();
  void client.connectUser({ id: 'ana' }, 'token').catch(() => undefined);
  const call = outcome(client.http.call('POST /users/query', { body: {} }));
  await pause(20);

  clock.advance(2999);
  await pause(20);
  expect(call.error).toBeUndefined();

  clock.advance(1);
  const error = await until(() => call.error, 'the timeout');
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({ timedOut: true });
});

test('C8 a WebSocket that does not open is given up after 15 s', async () => {
  const { client, clock } = intoTheHole({ enableLongPollFallback: false });
  const connecting = outcome(client.connectUser({ id: 'ana' }, 'token'));
  await pause(20);

  clock.advance(14_999);
  await pause(20);
  expect(client.connection.get().status).toBe('connecting');

  clock.advance(1);
  expect((await until(() => connecting.error, 'the failure')).message).toContain('in time');
});

test('C8 with the fallback on, a WebSocket is given up after 6 s', async () => {
  const { client, clock } = intoTheHole();
  void outcome(client.connectUser({ id: 'ana' }, 'token'));
  await pause(20);

  clock.advance(5999);
  expect(client.connection.get()).toEqual({ status: 'connecting', attempt: 1 });

  clock.advance(1);
  expect(client.connection.get().status).toBe('waiting');
});

test('C8 where sockets are blocked, long-polling carries on', async () => {
  const transports: string[] = [];
  const { client, faults } = chat.createTestClient({ environment: { random: () => 0 } });
  client.on('transport.changed', ({ transport }) => transports.push(transport));
  faults.blockSockets();

  await client.connectUser({ id: 'bo' }, await chat.token('bo'));
  const cid = await client.channels.open('messaging', 'poll', { members: ['ana'] });
  for (const text of ['one', 'two', 'three']) await chat.admin.messages.send(cid, 'ana', { text });

  const texts = () =>
    client.channels
      .state(cid)
      .get()
      ?.messages.map((message) => message.text) ?? [];
  await until(() => texts().length === 3, 'the messages');
  expect(texts()).toEqual(['one', 'two', 'three']);
  expect(transports).toEqual(['longpoll']);
  expect(client.connection.get()).toMatchObject({ status: 'online', transport: 'longpoll' });
});

test('C8 a lost poll answer is sent again: nothing is missed, nothing doubled', async () => {
  const { client, faults } = chat.createTestClient({ environment: { random: () => 0 } });
  faults.blockSockets();
  await client.connectUser({ id: 'bo' }, await chat.token('bo'));
  const cid = await client.channels.open('messaging', 'poll-lost', { members: ['ana'] });
  let polls = 0;
  faults.onCall((url) => (url.includes('/longpoll') && ++polls === 2 ? 'lose' : undefined));

  for (let index = 0; index < 10; index++) {
    await chat.admin.messages.send(cid, 'ana', { text: `m${index}` });
  }

  const texts = () =>
    client.channels
      .state(cid)
      .get()
      ?.messages.map((message) => message.text) ?? [];
  await until(() => texts().length === 10, 'the messages');
  expect(texts()).toEqual(Array.from({ length: 10 }, (_, index) => `m${index}`));
});

test("C8 a long-poll connection is its owner's alone", async () => {
  const ana = await chat.as('ana');
  const bo = await chat.as('bo');
  const opened = await ana.call('POST /longpoll', { body: { payload: { user_id: 'ana' } } });
  const id = opened.connection_id ?? '';

  const poll = await bo.refused('POST /longpoll', { body: { connection_id: id, ack: 0 } });
  const end = await bo.refused('DELETE /longpoll', { query: { connection_id: id } });

  expect([poll.status, end.status].every((status) => status >= 400 && status < 500)).toBe(true);
});

test('C8 a long poll without a good token is refused', async () => {
  const raw = await chat.as('ana');
  const body = JSON.stringify({ payload: { user_id: 'ana' } });

  const without = await raw.raw('POST', '/longpoll', { body, headers: { authorization: '' } });
  const garbage = await raw.raw('POST', '/longpoll', { body, headers: { authorization: 'x.y.z' } });
  const other = await (await chat.as('bo')).raw('POST', '/longpoll', { body });

  expect([without.status, garbage.status, other.status]).toEqual([401, 401, 401]);
});
