import { request } from 'node:http';
import { createTestChat, createTestClock, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { connectFrame, openSocket } from './support.ts';

const clock = createTestClock();
let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({
    users: ['ana', 'bo'],
    config: { rateLimits: true, trustProxy: ['loopback'], socketsPerUser: 3, socketsPerAddress: 5 },
    overrides: { clock },
  });
});
afterAll(() => chat.stop());

const as = (address: string) => ({ 'x-forwarded-for': address });

const guest = (address: string) =>
  fetch(`${chat.url}/api/guest`, {
    method: 'POST',
    headers: { 'x-api-key': chat.apiKey, 'content-type': 'application/json', ...as(address) },
    body: JSON.stringify({ user: { id: 'visitor' } }),
  });

const openFrom = (address: string) =>
  openSocket(chat, undefined, {
    headers: as(address),
  });

/** A socket that has been welcomed. */
const connectFrom = async (address: string, userId?: string) => {
  const opened = openFrom(address);
  await opened.opened;
  opened.send(connectFrame(userId === undefined ? undefined : await chat.token(userId)));
  await until(() => opened.frames.length > 0, 'the hello');
  return opened;
};

/** An upgrade without a key. */
const upgradeBadly = (address: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = { connection: 'Upgrade', upgrade: 'websocket', ...as(address) };
    request(`${chat.url}/api/connect`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

const connections = async (): Promise<number> =>
  Number(/parley_connections (\d+)/.exec(await (await fetch(`${chat.url}/metrics`)).text())?.[1]);

const allGone = () => until(async () => (await connections()) === 0, 'nobody connected');

test('protocol 1 behind a named proxy each address has a budget of its own', async () => {
  const first = await Promise.all(Array.from({ length: 62 }, () => guest('203.0.113.1')));
  const second = await guest('203.0.113.2');
  const madeUp = await Promise.all(
    Array.from({ length: 5 }, (_, index) => guest(`198.51.100.${index}, 203.0.113.1`)),
  );

  expect(first.filter(({ status }) => status === 429)).toHaveLength(2);
  expect(second.status).toBe(201);
  expect(madeUp.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429]);
});

test('protocol 1 a header that holds no address gives no bucket of its own, and no fault', async () => {
  const odd = await Promise.all(Array.from({ length: 62 }, (_, index) => guest(`bucket-${index}`)));

  expect(odd.filter(({ status }) => status === 201)).toHaveLength(60);
  expect(odd.filter(({ status }) => status === 429)).toHaveLength(2);
});

test('protocol 4 an address has so many sockets and no more; each that ends makes room', async () => {
  const address = '203.0.113.10';
  const open = await Promise.all(Array.from({ length: 5 }, () => connectFrom(address)));

  const refused = openFrom(address);
  expect(await refused.closed).toMatchObject({ code: 4429 });
  expect(refused.errors()).toMatchObject([{ name: 'RateLimited', status: 429 }]);
  const elsewhere = await connectFrom('203.0.113.11');
  expect(elsewhere.errors()).toEqual([]);

  open[0]?.close();
  await until(async () => {
    const again = await connectFrom(address);
    if (again.errors().length > 0) return false;
    open.push(again);
    return true;
  }, 'a free place');
  for (const { close } of [...open, elsewhere]) close();
  await allGone();
});

test('protocol 4 a hello that fails, an upgrade that is bad and a long-poll that ends give their place back', async () => {
  const address = '203.0.113.20';
  for (let round = 0; round < 12; round++) {
    const failing = openFrom(address);
    await failing.opened;
    failing.send(connectFrame('not a token'));
    expect(await failing.closed).toMatchObject({ code: 4401 });
    const bad = await fetch(`${chat.url}/api/longpoll`, {
      method: 'POST',
      headers: { 'x-api-key': chat.apiKey, 'content-type': 'application/json', ...as(address) },
      body: JSON.stringify({ payload: {} }),
    });
    expect(bad.status).toBe(401);
    expect(await upgradeBadly(address)).toBe(400);
  }

  const ana = await chat.as('ana');
  const payload = JSON.stringify({ payload: { user_id: 'ana' } });
  const poll = async () =>
    (await ana.raw('POST', '/longpoll', { body: payload, headers: as(address) })) as {
      status: number;
      body: { connection_id: string };
    };
  const polls = [await poll(), await poll()];
  expect(polls.map(({ status }) => status)).toEqual([201, 201]);
  const open = await Promise.all(Array.from({ length: 3 }, () => connectFrom(address)));
  expect(await poll()).toMatchObject({ status: 429, body: { name: 'RateLimited' } });

  await ana.raw('DELETE', `/longpoll?connection_id=${polls[0]?.body.connection_id}`);
  const back = await poll();
  expect(back.status).toBe(201);
  for (const { close } of open) close();
  for (const { body } of [polls[1], back].flatMap((one) => one ?? []))
    await ana.raw('DELETE', `/longpoll?connection_id=${body.connection_id}`);
  await allGone();
});

test('protocol 4 a user has so many connections and no more, from wherever', async () => {
  const open = [];
  for (let index = 0; index < 3; index++) open.push(await connectFrom(`203.0.113.3${index}`, 'bo'));

  const refused = await connectFrom('203.0.113.39', 'bo');
  expect(await refused.closed).toMatchObject({ code: 4429 });
  expect(refused.errors()).toMatchObject([{ name: 'RateLimited', message: expect.stringContaining('user') }]);
  const bo = await chat.as('bo');
  const payload = { payload: { user_id: 'bo' } };
  expect(await bo.refused('POST /longpoll', { body: payload })).toMatchObject({ name: 'RateLimited' });
  expect((await connectFrom('203.0.113.39', 'ana')).errors()).toEqual([]);

  open[0]?.close();
  await until(async () => (await connections()) === 3, 'one gone');
  expect((await connectFrom('203.0.113.38', 'bo')).errors()).toEqual([]);
});

test('protocol 4 a socket that sends without end is closed; a burst is not', async () => {
  const flood = await connectFrom('203.0.113.50');
  for (let index = 0; index < 150; index++) flood.send('{"type":"health.check"}');
  flood.socket.ping();
  await new Promise((resolve) => flood.socket.once('pong', resolve));
  expect(flood.socket.readyState).toBe(WebSocket.OPEN);

  clock.advance(10_000);
  for (let index = 0; index < 190; index++) flood.send('{"type":"health.check"}');
  flood.socket.ping();
  await new Promise((resolve) => flood.socket.once('pong', resolve));
  expect(flood.socket.readyState).toBe(WebSocket.OPEN);

  for (let index = 0; index < 100; index++) flood.socket.ping();
  expect(await flood.closed).toEqual({ code: 4429, reason: 'too many frames' });
});

test('protocol 1 a caller that guesses tokens is slowed down; known users and other addresses are not', async () => {
  const address = '203.0.113.60';
  const good = await chat.token('ana');
  const call = async (token: string, from = address) => {
    const { status } = await fetch(`${chat.url}/api/unread`, {
      headers: { 'x-api-key': chat.apiKey, authorization: token, ...as(from) },
    });
    return status;
  };
  expect(await call(good)).toBe(200);

  const statuses = [];
  for (let round = 0; round < 16; round++)
    statuses.push(...(await Promise.all(Array.from({ length: 20 }, (_, index) => call(`guess-${index}`)))));

  expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(300);
  expect(statuses.at(-1)).toBe(429);
  expect(await call(good)).toBe(200);
  expect(await call('guess', '203.0.113.61')).toBe(401);
  const socket = await connectFrom(address);
  expect(socket.errors()).toEqual([]);
  const guessing = openFrom(address);
  await guessing.opened;
  guessing.send(connectFrame('a guess'));
  expect(await guessing.closed).toMatchObject({ code: 4429 });

  clock.advance(2000);
  expect(await call('guess')).toBe(401);
});
