import { connect, type Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { limitSlowBodies } from './slow-bodies.ts';

let app: FastifyInstance;
afterEach(() => app.close());

const start = async (limits: { ms: number; atOnce: number }): Promise<number> => {
  app = fastify({ forceCloseConnections: true });
  app.decorateRequest('address', '127.0.0.1');
  limitSlowBodies(app, limits);
  app.post('/', async ({ body }) => body);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as { port: number }).port;
};

/** A call that says it has 20 bytes and sends what it is given. */
const begin = (port: number, body: string) => {
  const socket: Socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (bytes) => {
    text += String(bytes);
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(
    `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n${body}`,
  );
  return { socket, closed, text: () => text };
};

const answered = async (call: ReturnType<typeof begin>): Promise<string> => {
  while (!call.text().includes('\r\n\r\n')) await new Promise((resolve) => setTimeout(resolve, 5));
  return call.text();
};

test('P6 a body that does not come in time is refused in words, and its connection ends', async () => {
  const port = await start({ ms: 1000, atOnce: 10 });
  const call = begin(port, '{"half":');

  await call.closed;

  expect(call.text()).toMatch(/^HTTP\/1\.1 400 /);
  expect(call.text()).toContain('must arrive within 1 s');
});

test('P6 a slow body within the time is taken', async () => {
  const port = await start({ ms: 60_000, atOnce: 10 });
  const call = begin(port, '{"half":');
  await new Promise((resolve) => setTimeout(resolve, 50));
  call.socket.write('"and more!"}');

  expect(await answered(call)).toMatch(/^HTTP\/1\.1 200 /);
  call.socket.destroy();
});

test('P6 a caller has only so many unfinished bodies, and room again when one has ended', async () => {
  const port = await start({ ms: 60_000, atOnce: 1 });
  const first = begin(port, '{"half":');
  const second = await (async () => {
    // The first must be under way before the second is counted.
    for (;;) {
      const call = begin(port, '{"half":');
      const text = await Promise.race([
        answered(call),
        new Promise<string>((resolve) => setTimeout(resolve, 300, '')),
      ]);
      if (text !== '') return text;
      call.socket.destroy();
    }
  })();
  first.socket.write('"and more!"}');
  await answered(first);
  const third = begin(port, '{"half":');
  third.socket.write('"and more!"}');

  expect(second).toContain('Too many calls at once');
  expect(await answered(third)).toMatch(/^HTTP\/1\.1 200 /);
  for (const { socket } of [first, third]) socket.destroy();
});
