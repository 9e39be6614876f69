import { startServer } from '@parley/server';
import { createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { connectFrame, openSocket } from './support.ts';

/** A server that stays, and on its database those that the tests drain. */
let chat: TestChat;
beforeAll(async () => {
  // A user who moves has one connection more for a moment: that must not be one too many.
  const config = { rateLimits: true, socketsPerUser: 1 };
  chat = await createTestChat({ users: ['ana', 'bo'], config });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'bo', members: ['ana', 'bo'] });
});
afterAll(() => chat?.stop());

const drain = { readyMs: 100, reconnectMs: 400 };
const startDraining = (given = drain) => startServer({ ...chat.server.kernel.config, port: 0, drain: given });
type Server = Awaited<ReturnType<typeof startDraining>>;

/** Sends new sockets and calls to the server that stays as soon as the other is not ready: a balancer. */
const balanced = (server: Server) => {
  let isReady = true;
  const target = (url: string) => (isReady ? url : url.replace(server.url.slice(4), chat.url.slice(4)));
  return {
    leave: () => {
      isReady = false;
    },
    environment: {
      fetch: (url: string, init: RequestInit) => fetch(target(url), init),
      WebSocket: class extends WebSocket {
        constructor(url: string) {
          super(target(url));
        }
      },
    },
  };
};
const readiness = async ({ url }: Server) => {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, body: await response.json(), headers: response.headers };
};

test.each(['ws', 'longpoll'] as const)(
  'C7 a client moves away from a server that drains, and is online all the time: %s',
  async (transport) => {
    // A long time on a busy machine, of which the client takes the beginning: the server ends as soon as it has moved.
    const server = await startDraining({ readyMs: 100, reconnectMs: 10_000 });
    const { leave, environment } = balanced(server);
    const { client } = await chat.connect('ana', {
      baseUrl: `${server.url}/api`,
      environment: {
        ...{ ...environment, random: () => 0.02 },
        ...(transport === 'ws' ? {} : { WebSocket: undefined }),
      },
    });
    const cid = await client.channels.open('messaging', 'room');
    const before = client.connection.get();
    const statuses = new Set<string>();
    client.connection.subscribe(() => statuses.add(client.connection.get().status));

    const began = Date.now();
    const stopped = server.stop();
    await until(async () => (await readiness(server)).status === 503, 'that it is not ready');
    leave();
    const sending = client.messages.send(cid, { text: `sent while it drains (${transport})` });
    await stopped;
    await sending;
    expect(Date.now() - began).toBeLessThan(9000);

    expect(before).toMatchObject({ status: 'online', transport });
    expect(client.connection.get()).toMatchObject({ status: 'online', transport });
    expect(client.connection.get()).not.toEqual(before);
    expect([...statuses]).toEqual(['online']);
    await chat.admin.messages.send(cid, 'bo', { text: `after the move (${transport})` });
    const last = () => client.channels.state(cid).get()?.messages.at(-1)?.text;
    await until(() => last() === `after the move (${transport})`, 'the message at the other server');
    await client.disconnect();
  },
);

test('W4 a server that drains is not ready first, still answers, then asks its sockets to move and closes those that stay', async () => {
  const server = await startDraining({ ...drain, readyMs: 800 });
  const address = { url: server.url, apiKey: chat.apiKey };
  const socket = openSocket(address);
  onTestFinished(() => socket.close());
  await socket.opened;
  socket.send(connectFrame(await chat.token('bo'), { user_id: 'bo' }));
  await until(() => socket.frames.length > 0, 'the hello');
  expect((await readiness(server)).headers.get('connection')).toBe('keep-alive');

  const stopped = server.stop();
  const first = await until(async () => {
    const now = await readiness(server);
    return now.status === 503 && now;
  }, 'that it is not ready');
  expect(first.body).toMatchObject({ status: 'not ready', not_ready: ['draining'] });
  expect(first.headers.get('connection')).toBe('close');
  const requests = () => socket.frames.filter(({ type }) => type === 'connection.draining');
  expect(requests()).toEqual([]);
  const early = openSocket(address);
  await early.opened;

  await until(() => requests().length > 0, 'the request to move');
  expect(requests()).toMatchObject([{ within_ms: drain.reconnectMs }]);
  const late = openSocket(address);
  expect((await late.closed).code).toBe(1006);
  const polled = await fetch(`${server.url}/api/longpoll`, {
    method: 'POST',
    headers: {
      'x-api-key': chat.apiKey,
      authorization: await chat.token('bo'),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ payload: { user_id: 'bo' } }),
  });
  expect([polled.status, await polled.json()]).toMatchObject([503, { name: 'Unavailable' }]);
  expect((await socket.closed).code).toBe(1001);
  expect((await early.closed).code).toBe(1001);
  await stopped;
});

test('W4 a server that is alone has nobody to leave its clients to: it ends at once', async () => {
  const alone = await createTestChat({
    users: ['ana'],
    config: { drain: { readyMs: 20_000, reconnectMs: 20_000 } },
  });
  const socket = openSocket(alone);
  await socket.opened;
  const began = Date.now();

  await alone.stop();

  expect((await socket.closed).code).toBe(1001);
  expect(Date.now() - began).toBeLessThan(15_000);
});
