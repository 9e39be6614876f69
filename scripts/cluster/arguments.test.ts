import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '@parley/testkit/free-port';
import { expect, onTestFinished, test } from 'vitest';
import { readArguments } from './arguments.ts';
import { clusterWelcome } from './messages.ts';
import { checkPlaces, placesOf } from './places.ts';

test('W4 --kill means every 20 s unless it says otherwise; anything else is refused with the usage', () => {
  expect(readArguments([])).toEqual({ killSeconds: undefined });
  expect(readArguments(['--kill'])).toEqual({ killSeconds: 20 });
  expect(readArguments(['--kill=3'])).toEqual({ killSeconds: 3 });
  for (const wrong of ['--kill=0', '--kill=soon', '--kill=1.5', '--kill=', '--kil', 'kill'])
    expect(() => readArguments([wrong]), wrong).toThrow(/Usage: npm run start:cluster/);
});

test('W4 the ports follow PORT, and one that is taken is named before anything starts', async () => {
  expect(placesOf({})).toMatchObject({ host: '127.0.0.1', spreading: 8800, sticky: 8801 });
  expect(placesOf({ PORT: '9000' }).servers.map(({ port }) => port)).toEqual([9011, 9012, 9013]);
  expect(() => placesOf({ PORT: 'eighty' })).toThrow(/^PORT must be a number from 1 to \d+, not "eighty"/);

  const port = await freePort();
  const other = createServer().listen(port + 12, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  await expect(checkPlaces(placesOf({ PORT: String(port) }))).rejects.toThrow(
    new RegExp(`^Port ${port + 12} is taken by another program.* PORT=${port + 100} npm run start:cluster$`),
  );
  await expect(checkPlaces({ ...placesOf({}), host: '192.0.2.1' })).rejects.toThrow(
    /no address 192\.0\.2\.1/,
  );
});

test('W4 the welcome names the addresses, the servers, the bus and how to stop', () => {
  const { servers } = placesOf({});
  const running = { spreadingUrl: 'http://a:1', stickyUrl: 'http://a:2', servers, killSeconds: undefined };
  const env = { PARLEY_DEMO: 'on' };

  const text = clusterWelcome({ ...running, env, bus: { url: 'nats://127.0.0.1:4222' } });
  for (const part of [
    'http://a:1 ',
    'http://a:2 ',
    'http://127.0.0.1:8813',
    'NATS at nats://',
    'Ana',
    'Ctrl-C',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('Kill');

  const without = clusterWelcome({
    ...running,
    env: {},
    bus: { missing: 'It is not here.' },
    killSeconds: 20,
  });
  expect(without).toMatch(/Bus +the database's own notifications\. It is not here\./);
  expect(without).toMatch(/Kill +a random server every 20 s/);
});
