import { createHash, randomBytes } from 'node:crypto';
import { connect as connectTcp, type Socket } from 'node:net';
import { createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectFrame, pause } from './support.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'slow'] });
  const members = ['ana', 'bo', 'slow'];
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members });
});
afterAll(() => chat.stop());

const maskedFrame = (text: string): Buffer => {
  const body = Buffer.from(text);
  const mask = randomBytes(4);
  const head = Buffer.alloc(4);
  head[0] = 0x81;
  head[1] = 0x80 | 126;
  head.writeUInt16BE(body.length, 2);
  return Buffer.concat([head, mask, body.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
};

/** A WebSocket by hand, so that it can stop reading for good. */
const openRaw = async (token: string): Promise<{ socket: Socket; connectionId: string }> => {
  const key = randomBytes(16).toString('base64');
  const { port } = new URL(chat.url);
  const socket = connectTcp(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  let text = '';
  socket.on('data', (data) => {
    text += String(data);
  });
  socket.write(
    `GET /api/connect?api_key=${chat.apiKey} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  await until(() => text.includes('101 Switching'), 'the upgrade');
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  expect(text).toContain(accept);
  socket.write(maskedFrame(JSON.stringify(connectFrame(token))));
  const connectionId = await until(() => /"connection_id":"([^"]+)"/.exec(text)?.[1], 'the hello');
  return { socket, connectionId };
};

const connections = async (): Promise<number> =>
  Number(/parley_connections (\d+)/.exec(await (await fetch(`${chat.url}/metrics`)).text())?.[1]);

test('protocol 4 a connection that stops reading is closed; others miss nothing', async () => {
  const bo = await chat.connect('bo');
  await bo.client.channels.open('messaging', 'room');
  const { socket, connectionId } = await openRaw(await chat.token('slow'));
  const slow = await chat.as('slow');
  await slow.call('POST /channels/{type}/{id}/query', {
    path: { type: 'messaging', id: 'room' },
    query: { connection_id: connectionId },
    body: { watch: true },
  });
  expect(await connections()).toBe(2);

  socket.pause();
  const text = 'x'.repeat(19_000);
  let sent = 0;
  while ((await connections()) > 1 && sent < 1500) {
    await Promise.all(
      Array.from({ length: 20 }, () => chat.admin.messages.send('messaging:room', 'ana', { text })),
    );
    sent += 20;
    if (sent % 200 === 0) await pause(20);
    if (sent >= 400 && (await connections()) > 1) await pause(100);
  }

  expect(await connections()).toBe(1);
  const last = await chat.admin.messages.send('messaging:room', 'ana', { text: 'the last one' });
  await until(
    () => bo.client.channels.state('messaging:room').get()?.messages.at(-1)?.id === last.id,
    'it at Bo',
  );
  expect(bo.client.channels.state('messaging:room').get()?.unread).toBe(sent + 1);
  expect(bo.client.connection.get().status).toBe('online');
  socket.destroy();
});

const maskedPing = (body: Buffer): Buffer => {
  const mask = randomBytes(4);
  const masked = body.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([Buffer.from([0x89, 0x80 | body.length]), mask, masked]);
};

test('protocol 4 pings of a peer that does not read are not kept, and are answered once it reads', async () => {
  const { socket } = await openRaw(await chat.token('slow'));
  const last = randomBytes(100);
  const received: Buffer[] = [];
  socket.on('data', (data) => received.push(data));
  socket.pause();
  const block = Buffer.concat(Array.from({ length: 2000 }, () => maskedPing(randomBytes(125))));
  const before = process.memoryUsage();
  const write = (data: Buffer) => new Promise<void>((resolve) => void socket.write(data, () => resolve()));

  for (let sent = 0; sent < 80_000_000; sent += block.length) await write(block);
  await write(maskedPing(last));
  const after = process.memoryUsage();
  const heldBytes = after.external + after.arrayBuffers - before.external - before.arrayBuffers;
  socket.resume();
  await until(() => Buffer.concat(received).includes(last), 'the answer to the last ping');

  expect(heldBytes).toBeLessThan(40_000_000);
  socket.destroy();
});

test('protocol 4 a long poll that is not fetched is bounded, too', async () => {
  const slow = await chat.as('slow');
  const { connection_id = '' } = await slow.call('POST /longpoll', {
    body: { payload: { user_id: 'slow' } },
  });
  const text = 'x'.repeat(19_000);

  for (let round = 0; round < 4; round++)
    await Promise.all(
      Array.from({ length: 20 }, () => chat.admin.messages.send('messaging:room', 'ana', { text })),
    );

  expect(await slow.refused('POST /longpoll', { body: { connection_id, ack: 0 } })).toMatchObject({
    status: 404,
  });
});
