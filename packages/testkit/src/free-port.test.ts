import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test, vi } from 'vitest';
import { freePort } from './free-port.ts';

test('a port outside of those that systems give away by themselves, on which one can listen', async () => {
  const port = await freePort();
  expect(port).toBeLessThan(32_768);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
});

test('a port that is taken is passed over', async () => {
  const taken = await freePort();
  const server = createServer().listen(taken, '127.0.0.1');
  await once(server, 'listening');
  const share = (taken - 12_000 + 0.5) / 20_000;
  vi.spyOn(Math, 'random').mockReturnValueOnce(share).mockReturnValueOnce(share);

  expect(await freePort()).not.toBe(taken);
  server.close();
});
