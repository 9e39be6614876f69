import { connect, createServer, type Server, type Socket } from 'node:net';
import { createClient, type ParleyClient } from '@parley/client';
import { createTestChat, createTestClock, type TestChat, type TestClock, until } from '@parley/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { clientClock } from './support.ts';

/** A real server behind a proxy that passes every call on, and takes upgrades without ever answering them. */
let chat: TestChat;
let proxy: Server;
let hangs = true;
let upgrades = 0;
const open = new Set<Socket>();
const clients: ParleyClient[] = [];

const pass = (from: Socket): void => {
  open.add(from);
  from.on('error', () => undefined);
  from.once('data', (first) => {
    const isUpgrade = /^upgrade: websocket/im.test(first.toString('latin1'));
    if (isUpgrade) upgrades += 1;
    if (isUpgrade && hangs) return;
    const to = connect(Number(new URL(chat.url).port), '127.0.0.1');
    open.add(to);
    to.on('error', () => from.destroy());
    to.write(first);
    from.pipe(to).pipe(from);
  });
};

beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
  proxy = createServer(pass);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterEach(() => Promise.all(clients.splice(0).map((client) => client.disconnect())));
afterAll(async () => {
  for (const socket of open) socket.destroy();
  proxy.close();
  await chat.stop();
});

const behindProxy = async (token?: () => Promise<string>) => {
  upgrades = 0;
  const clock = createTestClock();
  const { port } = proxy.address() as { port: number };
  const client = createClient({
    apiKey: chat.apiKey,
    baseUrl: `http://127.0.0.1:${port}/api`,
    // A call that is slow on a busy machine must not be given up by the clock that this test moves.
    httpTimeout: 3_600_000,
    log: { warn: () => undefined, error: () => undefined },
    // A browser lets go of a socket that is closed before it opened, as `ws` does; the socket of Node does not.
    environment: {
      clock: clientClock(clock),
      random: () => 0,
      WebSocket: WebSocket as unknown as typeof globalThis.WebSocket,
    },
  });
  clients.push(client);
  const statuses: string[] = [];
  client.on('connection.changed', ({ state }) => statuses.push(state.status));
  const ready = client.connectUser({ id: 'bo' }, token ?? (await chat.token('bo')));
  return { client, clock, statuses, ready };
};

/** Moves the clock on until the two sockets that are tried first were given up. */
const toPolling = async ({ client, clock }: { client: ParleyClient; clock: TestClock }) => {
  await until(() => upgrades === 1, 'the first socket');
  clock.advance(6000);
  await until(() => client.connection.get().status === 'waiting', 'the pause');
  clock.advance(1000);
  await until(() => upgrades === 2, 'the second socket');
  clock.advance(6000);
  await until(() => client.connection.get().status === 'online', 'the long-poll');
};

const textsOf = (client: ParleyClient, cid: string): (string | undefined)[] =>
  client.channels
    .state(cid)
    .get()
    ?.messages.map(({ text }) => text) ?? [];

test('C8 where sockets hang, they are tried beside the long-poll with growing pauses, and nothing is late', async () => {
  hangs = true;
  const made = await behindProxy();
  await toPolling(made);
  const { client, clock, statuses } = made;
  const cid = await client.channels.open('messaging', 'beside', { members: ['ana'] });
  const seen = statuses.length;

  const sent: string[] = [];
  const arrives = async (text: string) => {
    sent.push(text);
    await chat.admin.messages.send(cid, 'ana', { text });
    await until(() => textsOf(client, cid).length === sent.length, `the message "${text}"`);
  };
  const step = 20_000;
  for (const [index, pause] of [60_000, 120_000, 240_000].entries()) {
    // A message a step: a poll that waits longer than its time would be given up.
    for (let waited = step; waited < pause; waited += step) {
      clock.advance(step);
      await arrives(`${waited} of ${pause}`);
    }
    expect(upgrades).toBe(2 + index);
    clock.advance(step);
    await until(() => upgrades === 3 + index, `socket ${index}`);
    await arrives(`while socket ${index} hangs`);
    clock.advance(6000);
  }

  expect(textsOf(client, cid)).toEqual(sent);
  expect(statuses.slice(seen)).toEqual([]);
  expect(client.connection.get()).toMatchObject({ status: 'online', transport: 'longpoll' });
});

test('C8 once a socket opens it takes over, and what is said around that moment arrives once', async () => {
  hangs = true;
  const made = await behindProxy();
  await toPolling(made);
  const { client, clock } = made;
  const cid = await client.channels.open('messaging', 'over', { members: ['ana'] });
  const recovered = new Promise((resolve) => client.on('connection.recovered', resolve));
  const transports: string[] = [];
  client.on('transport.changed', ({ transport }) => transports.push(transport));

  hangs = false;
  const texts = Array.from({ length: 20 }, (_, index) => `m${index}`);
  for (const [index, text] of texts.entries()) {
    // Time passes in steps, each with a message: a poll that waits longer than its time would be given up.
    if (index < 3) clock.advance(20_000);
    await chat.admin.messages.send(cid, 'ana', { text });
    if (index < 3) await until(() => textsOf(client, cid).includes(text), text);
  }
  await recovered;

  await until(() => textsOf(client, cid).length === texts.length, 'the messages');
  expect(textsOf(client, cid)).toEqual(texts);
  expect(upgrades).toBe(3);
  expect(transports).toEqual(['ws']);
  expect(client.connection.get()).toMatchObject({ status: 'online', transport: 'ws' });
  await chat.admin.messages.send(cid, 'ana', { text: 'by socket' });
  await until(() => textsOf(client, cid).at(-1) === 'by socket', 'the message by socket');
});

test("C8 the time of a WebSocket does not count the token function's time", async () => {
  hangs = false;
  const token = await chat.token('bo');
  let give = (_: string): void => undefined;
  const { client, clock, ready } = await behindProxy(
    () =>
      new Promise((resolve) => {
        give = resolve;
      }),
  );
  await until(() => client.connection.get().status === 'connecting', 'the question for a token');

  clock.advance(29_000);
  expect(client.connection.get()).toEqual({ status: 'connecting', attempt: 1 });
  give(token);
  await ready;

  expect(client.connection.get()).toMatchObject({ status: 'online', transport: 'ws' });
});
