import { connect as connectTcp } from 'node:net';
import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectFrame, openSocket, pause } from './support.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

test('protocol 4 half a surrogate pair in the details is an invalid input, not a fault', async () => {
  const socket = openSocket(chat);
  await socket.opened;

  socket.send(connectFrame(await chat.token('ana'), { user_details: { id: 'ana', mood: '\ud800' } }));

  await socket.closed;
  expect(socket.errors()).toMatchObject([{ code: 4 }]);
});

test('protocol 4 details that nest without end are an invalid input, not a fault', async () => {
  const socket = openSocket(chat);
  await socket.opened;
  const frame = JSON.stringify(
    connectFrame(await chat.token('ana'), { user_details: { id: 'ana', mood: 0 } }),
  );

  socket.send(frame.replace('"mood":0', `"mood":${'['.repeat(20_000)}${']'.repeat(20_000)}`));

  await socket.closed;
  expect(socket.errors()).toMatchObject([{ code: 4 }]);
});

test('protocol 4 a peer that resets an upgrade to nowhere does not end the server', async () => {
  const port = Number(new URL(chat.url).port);
  for (let index = 0; index < 50; index++)
    await new Promise<void>((resolve) => {
      const socket = connectTcp(port, '127.0.0.1', () => {
        socket.write(
          'GET /api/nowhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
        );
        socket.write('x'.repeat(1000));
        socket.resetAndDestroy();
        resolve();
      });
      socket.on('error', () => undefined);
    });
  await pause(200);
  expect((await fetch(`${chat.url}/healthz`)).status).toBe(200);
});
