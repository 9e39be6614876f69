import { expect, test, vi } from 'vitest';
import { createBatch } from '../readable.ts';
import { createHandClock } from '../testing/hand-clock.ts';
import { anOwnUser } from '../testing/records.ts';
import { createTokenManager, type TokenProvider } from '../tokens/token-manager.ts';
import { createDriver } from './driver.ts';
import type { TransportListener } from './transport.ts';

const draining = {
  type: 'connection.draining',
  created_at: '2026-01-01T00:00:00.000Z',
  within_ms: 1000,
} as const;

/** A client that is online by its first transport; each transport is answered by the test. */
const createScene = async (token: string | TokenProvider = 'token') => {
  const clock = createHandClock();
  const transports: {
    listener: TransportListener;
    token: string | undefined;
    close: ReturnType<typeof vi.fn>;
  }[] = [];
  const events: string[] = [];
  const quiet = { subscribe: () => () => {} };
  const driver = createDriver({
    config: { wsTimeout: 6000, fallback: true, hasWebSocket: true },
    transports: {
      ws: () => (options, listener) => {
        const close = vi.fn();
        transports.push({ listener, token: options.token, close });
        return { close, probe: () => {} };
      },
      longpoll: () => Promise.reject(new Error('not here')),
    },
    environment: {
      ...{ clock, random: () => 0.5 },
      online: { ...quiet, isOnline: () => true },
      visibility: { ...quiet, isVisible: () => true },
    },
    batch: createBatch(),
    onHello: () => {},
    onEvent: ({ type }) => void events.push(type),
    onState: () => {},
  });
  const opened = async (count: number) => {
    await vi.waitFor(() => expect(transports).toHaveLength(count));
    return transports[count - 1] as (typeof transports)[number];
  };
  const tokens = createTokenManager(token, { clock, random: () => 0.5 });
  driver.connect({ tokens, payload: () => ({}) });
  const first = await opened(1);
  const hello = ({ listener }: typeof first, connectionId: string) =>
    listener.hello({ connectionId, me: anOwnUser('ann') }, 'ws');
  hello(first, 'one');
  first.listener.event(draining);
  await vi.waitFor(() => expect(clock.pending).toBe(1));
  return { clock, transports, driver, first, opened, hello, events };
};

test('C7 a client moves within the announced time, and closes the last connection once the next is open', async () => {
  const { clock, transports, driver, first, opened, hello, events } = await createScene();
  clock.advance(499);
  expect(transports).toHaveLength(1);
  clock.advance(1);
  const next = await opened(2);
  expect(first.close).not.toHaveBeenCalled();
  expect(driver.state.get()).toMatchObject({ status: 'online', connectionId: 'one' });

  hello(next, 'two');
  next.listener.event({ type: 'user.presence.changed' } as never);

  expect(first.close).toHaveBeenCalledOnce();
  expect(driver.state.get()).toMatchObject({ status: 'online', connectionId: 'two' });
  expect(events).toEqual(['user.presence.changed']);
  await driver.disconnect();
  expect(next.close).toHaveBeenCalledOnce();
});

test('C7 an event of the user that comes by both connections is shown once', async () => {
  const { clock, opened, hello, first, events } = await createScene();
  const due = (at: number) => ({ type: 'notification.reminder_due', created_at: `${at}` }) as never;
  first.listener.event(due(0));
  clock.advance(500);
  const next = await opened(2);
  first.listener.event(due(1));
  hello(next, 'two');
  next.listener.event(due(1));
  expect(events).toHaveLength(2);

  for (const at of [0, 2, 2]) next.listener.event(due(at));
  expect(events).toHaveLength(5);
});

test('C7 a move that fails is tried again while the last connection lives', async () => {
  const { clock, driver, opened, hello, first } = await createScene();
  clock.advance(500);
  (await opened(2)).listener.lost('blocked');
  expect(driver.state.get()).toMatchObject({ status: 'online', connectionId: 'one' });

  clock.advance(500);
  hello(await opened(3), 'three');

  expect(driver.state.get()).toMatchObject({ status: 'online', connectionId: 'three' });
  expect(first.close).toHaveBeenCalledOnce();
});

test('C7 a client that was lost meanwhile, or signed out, takes no connection from its move', async () => {
  const { clock, driver, opened, hello } = await createScene();
  clock.advance(500);
  const next = await opened(2);
  await driver.disconnect();

  hello(next, 'two');

  expect(next.close).toHaveBeenCalledOnce();
  expect(driver.state.get()).toMatchObject({ status: 'disconnected' });
});

test('C7 a server that asks many times moves a client once, and the next server may ask again', async () => {
  const { clock, transports, first, opened, hello } = await createScene();
  for (let n = 0; n < 20; n += 1) first.listener.event(draining);
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(1000);
  hello(await opened(2), 'two');
  clock.advance(60_000);
  expect(transports).toHaveLength(2);

  transports[1]?.listener.event(draining);
  await vi.waitFor(() => expect(clock.pending).toBe(1));
  clock.advance(1000);
  await opened(3);
});

test('C7 a server that never ends is tried ever more rarely, also where its sockets hang', async () => {
  const { clock, transports, driver } = await createScene();
  for (let second = 0; second < 600; second += 1) {
    clock.advance(1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  // One try after a half, two, ... and from then on one in about half a minute; each hangs until its time is over.
  expect(transports.length).toBeGreaterThan(10);
  expect(transports.length).toBeLessThan(30);
  for (const { close } of transports.slice(1, -1)) expect(close).toHaveBeenCalledOnce();
  expect(driver.state.get()).toMatchObject({ status: 'online', connectionId: 'one' });
});

test('C7 a token that expired before the move is asked for anew; one that cannot be is not tried again', async () => {
  let made = 0;
  const { clock, opened, hello, driver } = await createScene(() => `token ${++made}`);
  clock.advance(500);
  const refused = await opened(2);
  refused.listener.lost('token-expired');
  clock.advance(1000);
  const next = await opened(3);
  expect([refused.token, next.token]).toEqual(['token 1', 'token 2']);
  hello(next, 'three');
  expect(driver.state.get()).toMatchObject({ connectionId: 'three' });

  for (const cause of ['token-expired', 'refused'] as const) {
    const scene = await createScene('fixed');
    scene.clock.advance(500);
    (await scene.opened(2)).listener.lost(cause);
    expect(scene.clock.pending).toBe(0);
    expect(scene.driver.state.get()).toMatchObject({ status: 'online', connectionId: 'one' });
  }
});

test('C7 a user who signs out while the token of a move is awaited opens no further connection', async () => {
  const { clock, transports, driver } = await createScene();
  clock.advance(500);
  await driver.disconnect();
  await new Promise((resolve) => setImmediate(resolve));

  expect(transports).toHaveLength(1);
});
