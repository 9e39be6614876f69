import { connect as connectTcp } from 'node:net';
import { closeCodes } from '@parley/protocol';
import { createTestChat, createTestClock, type TestChat, until } from '@parley/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connectFrame, openSocket, pause } from './support.ts';

const serverClock = createTestClock();
let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'], overrides: { clock: serverClock } });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

/** Whatever a test did to the server, it still serves others. */
afterEach(async () => {
  const { client } = await chat.connect('ana');
  const cid = await client.channels.open('messaging', 'room');
  const sent = await client.messages.send(cid, { text: 'still here' });
  expect(sent.text).toBe('still here');
  await client.disconnect();
});

const { port, hostname } = { port: () => Number(new URL(chat.url).port), hostname: '127.0.0.1' };

test('protocol 4 a socket that says nothing for 5 s is closed with 4401', async () => {
  const socket = openSocket(chat);
  await socket.opened;
  await pause(50);
  serverClock.advance(4999);
  await pause(50);
  expect(socket.frames).toEqual([]);

  serverClock.advance(1);

  expect(await socket.closed).toMatchObject({ code: closeCodes.authentication });
  expect(socket.errors()).toMatchObject([{ code: 5, name: 'AuthenticationFailed' }]);
});

test('protocol 4 a good first frame is answered with health.check, connection_id and me', async () => {
  const socket = openSocket(chat);
  await socket.opened;

  socket.send(connectFrame(await chat.token('ana'), { user_id: 'ana', client_request_id: 'x' }));

  await until(() => socket.frames.length > 0, 'the hello');
  expect(socket.frames[0]).toMatchObject({
    type: 'health.check',
    connection_id: expect.stringMatching(/./),
    me: { id: 'ana', unread_count: expect.any(Number), mutes: [], blocked_user_ids: [], devices: [] },
  });
  socket.close();
});

test.each<[string, (token: string) => unknown, number]>([
  ['is not JSON', () => 'hello', 4],
  ['is a number', () => 7, 4],
  ['is null', () => 'null', 4],
  ['is a list', () => [], 4],
  ['is of another type', (token) => ({ ...connectFrame(token), type: 'hello' }), 4],
  ['has no payload', (token) => ({ type: 'connect', auth_type: 'jwt', token }), 4],
  ['has an unknown key', (token) => ({ ...connectFrame(token), extra: 1 }), 4],
  ['has a token of another type', () => ({ ...connectFrame('x'), token: 7 }), 4],
  ['has a bad token', () => connectFrame('garbage'), 5],
  ['has no token', () => ({ type: 'connect', auth_type: 'jwt', payload: {} }), 5],
  ['names another user', (token) => connectFrame(token, { user_id: 'bo' }), 5],
  ['details another user', (token) => connectFrame(token, { user_details: { id: 'bo' } }), 5],
  ['has a bad id', (token) => connectFrame(token, { user_id: 'a:b' }), 4],
  ['has a name of another type', (token) => connectFrame(token, { user_details: { id: 'ana', name: 7 } }), 4],
  ['has NUL in a name', (token) => connectFrame(token, { user_details: { id: 'ana', name: 'a\0b' } }), 4],
  ['has NUL in custom data', (token) => connectFrame(token, { user_details: { id: 'ana', mood: '\0' } }), 4],
  [
    'has too much custom data',
    (token) => connectFrame(token, { user_details: { id: 'ana', big: 'x'.repeat(6000) } }),
    4,
  ],
  [
    'sets what the server sets',
    (token) => connectFrame(token, { user_details: { id: 'ana', online: true } }),
    4,
  ],
])('protocol 4 a first frame that %s is refused with 4401', async (_title, frame, code) => {
  const socket = openSocket(chat);
  await socket.opened;

  socket.send(frame(await chat.token('ana')));

  expect(await socket.closed).toMatchObject({ code: closeCodes.authentication });
  expect(socket.errors()).toMatchObject([{ code }]);
});

test('protocol 4 details in a connect give nobody a role', async () => {
  const socket = openSocket(chat);
  await socket.opened;

  socket.send(connectFrame(await chat.token('bo'), { user_details: { id: 'bo', role: 'admin' } }));
  await until(() => socket.frames.length > 0, 'an answer');

  const { users } = await (await chat.as()).call('POST /users/query', { body: { filter: { id: 'bo' } } });
  expect(users[0]?.role).toBe('user');
  socket.close();
});

test('protocol 4 another API key is refused', async () => {
  for (const path of ['/api/connect?api_key=other', '/api/connect', '/api/connect?api_key=']) {
    const socket = openSocket(chat, path);
    await socket.opened;
    socket.send(connectFrame(await chat.token('ana')));
    expect(await socket.closed).toMatchObject({ code: closeCodes.authentication });
    expect(socket.errors()).toMatchObject([{ code: 2, name: 'ApiKeyInvalid' }]);
  }
});

test('protocol 4 a frame of bytes that are no UTF-8 does no harm', async () => {
  const socket = openSocket(chat);
  await socket.opened;

  socket.socket.send(Buffer.from([0xff, 0xfe, 0x00]), { binary: false });

  expect([1007, closeCodes.authentication, 1006]).toContain((await socket.closed).code);
});

test('protocol 4 frames after the first change nothing and end nothing', async () => {
  const socket = openSocket(chat);
  await socket.opened;
  socket.send(connectFrame(await chat.token('ana')));
  await until(() => socket.frames.length > 0, 'the hello');

  for (const noise of ['', '{', '[]', '{"type":"connect"}', '{"type":"message.new"}', '\u0000'])
    socket.send(noise);
  socket.socket.send(Buffer.alloc(100));
  await pause(50);

  expect(socket.socket.readyState).toBe(socket.socket.OPEN);
  socket.close();
});

test('protocol 4 a first frame of 10 MB is refused with 1009', async () => {
  const socket = openSocket(chat);
  await socket.opened;

  socket.send('x'.repeat(10 * 1024 * 1024));

  expect(await socket.closed).toMatchObject({ code: 1009 });
});

test('protocol 4 a first frame of 100 kB is refused with 1009', async () => {
  const socket = openSocket(chat);
  await socket.opened;

  socket.send('x'.repeat(100 * 1024));

  expect(await socket.closed).toMatchObject({ code: 1009 });
});

test('protocol 4 an upgrade to another path is not found', async () => {
  const socket = openSocket(chat, '/api/nowhere');

  expect((await socket.closed).code).toBe(1006);
});

const upgrade = (lines: string[]): Promise<string> =>
  new Promise((resolve) => {
    const socket = connectTcp(port(), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    let text = '';
    socket.on('data', (data) => {
      text += String(data);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    setTimeout(() => socket.end(), 300);
  });

test.each<[string, string[]]>([
  ['without a key', ['GET /api/connect HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket']],
  [
    'with an odd version',
    [
      'GET /api/connect HTTP/1.1',
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version: 99',
    ],
  ],
  [
    'by POST',
    [
      'POST /api/connect HTTP/1.1',
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version: 13',
    ],
  ],
  ['to another protocol', ['GET /api/connect HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: h2c']],
  ['that is no HTTP at all', ['\u0000\u0001\u0002 hello']],
])('protocol 4 an upgrade %s is refused', async (_title, lines) => {
  expect(await upgrade(lines)).not.toContain('101 Switching');
});

test('protocol 4 many sockets that come and go at once leave no connection behind', async () => {
  const token = await chat.token('bo');
  const sockets = Array.from({ length: 30 }, () => openSocket(chat));
  await Promise.all(sockets.map(({ opened }) => opened));

  for (const [index, socket] of sockets.entries()) {
    if (index % 3) socket.send(connectFrame(token));
    socket.close();
  }

  const connections = async () =>
    Number(/parley_connections (\d+)/.exec(await (await fetch(`${chat.url}/metrics`)).text())?.[1]);
  // Some hellos are still on their way when their sockets are gone.
  await pause(300);
  for (let tries = 0; tries < 100 && (await connections()) > 0; tries++) await pause(20);
  expect(await connections()).toBe(0);
});
