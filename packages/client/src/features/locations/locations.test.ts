import type { SharedLocation } from '@parley/protocol';
import { texts } from '@parley/protocol/errors';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PositionSource } from '../../browser.ts';
import type { Environment } from '../../environment.ts';
import { createClient, type ParleyClient } from '../../index.ts';
import { type ChatDouble, startChatDouble } from '../../testing/chat-double.ts';
import { createHandClock, type HandClock } from '../../testing/hand-clock.ts';
import { aMessage, aUser } from '../../testing/records.ts';
import { type Locations, locations as locationsFeature } from './index.ts';

const minute = 60_000;
const cid = 'messaging:general';

/** A browser that reports its position when the test says so. */
const createSource = () => {
  let report: PositionCallback | undefined;
  let refuse: PositionErrorCallback | null | undefined;
  const source: PositionSource = {
    getCurrentPosition: (found) => found(at(1)),
    watchPosition: (found, failed) => {
      report = found;
      refuse = failed;
      return 1;
    },
    clearWatch: () => {
      report = undefined;
    },
  };
  const permission = Object.assign(new EventTarget(), { state: 'granted' }) as PermissionStatus;
  const allow = (state: PermissionState) => {
    Object.assign(permission, { state });
    permission.dispatchEvent(new Event('change'));
  };
  return {
    source,
    permissions: { query: async () => permission },
    /** A watch that was denied reports nothing ever again, as in browsers. */
    deny: () => {
      report = undefined;
      refuse?.({ code: 1 } as GeolocationPositionError);
      allow('denied');
    },
    allow: () => allow('granted'),
    move: (latitude: number) => report?.(at(latitude)),
    get isWatched() {
      return report !== undefined;
    },
  };
};
const at = (latitude: number) => ({ coords: { latitude, longitude: 0 } }) as GeolocationPosition;

let server: ChatDouble;
let client: ParleyClient;
let clock: HandClock;
let locations: Locations;
let device: ReturnType<typeof createSource>;

const aShare = (said: Partial<SharedLocation> = {}): SharedLocation => ({
  ...{ message_id: 'm', cid, user_id: 'ann', latitude: 0, longitude: 0 },
  created_by_device_id: 'here',
  end_at: new Date(clock.now() + 15 * minute).toISOString(),
  created_at: new Date(clock.now()).toISOString(),
  updated_at: new Date(clock.now()).toISOString(),
  ...said,
});
const steps = () =>
  server
    .requestsTo('/users/live_locations')
    .filter(({ method }) => method === 'PUT')
    .map(({ body }) => body.latitude ?? 'stop');
const receive = async (event: { type: string } & Record<string, unknown>): Promise<void> => {
  const received = new Promise<void>((resolve) => {
    const stop = client.on('all', ({ type }) => {
      if (type !== event.type) return;
      stop();
      resolve();
    });
  });
  server.state.broadcast({ cid, created_at: new Date(clock.now()).toISOString(), ...event });
  await received;
};
const begin = (said: Partial<SharedLocation> = {}) =>
  receive({ type: 'live_location_sharing.started', shared_location: aShare(said) });
const active = () => locations.active.get().map(({ message_id }) => message_id);

/** Another client of the same person on the same device, as after a load of the page. */
const visit = async (environment: Partial<Environment>): Promise<ParleyClient> => {
  const visitor = createClient({
    apiKey: 'k',
    baseUrl: server.url,
    environment: { clock, locks: undefined, ...environment },
  });
  await visitor.connectUser({ id: 'ann' }, 'ann');
  return visitor;
};
const aStorage = (kept = new Map([['parley device', 'here']])): Storage => ({
  ...{ getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) },
  ...{ removeItem: (key) => void kept.delete(key), key: () => null, clear: () => kept.clear(), length: 0 },
});

beforeEach(async () => {
  server = await startChatDouble();
  server.state.locations = [];
  clock = createHandClock(Date.parse('2026-01-01T00:00:00.000Z'));
  device = createSource();
  const { source: geolocation, permissions } = device;
  client = await visit({ geolocation, permissions, storage: aStorage() });
  locations = client.feature(locationsFeature);
  await vi.waitFor(() => expect(locations.isLoaded.get()).toBe(true));
});
afterEach(async () => {
  await client.disconnect();
  await server.stop();
});

test('P5 an own share of this device is watched and moved, once in three seconds', async () => {
  await begin();
  expect([active(), device.isWatched]).toEqual([['m'], true]);

  for (const latitude of [1, 2, 3]) device.move(latitude);
  clock.advance(2999);
  expect(steps()).toEqual([]);
  clock.advance(1);
  await vi.waitFor(() => expect(steps()).toEqual([3]));
});

test('P5 where the browser forbids it that is said, and it goes on once it is allowed, until it is stopped', async () => {
  await begin();
  device.deny();
  expect([locations.trouble.get(), device.isWatched]).toEqual(['denied', false]);

  device.allow();
  expect(device.isWatched).toBe(true);
  device.move(7);
  expect(locations.trouble.get()).toBeUndefined();

  await client.disconnect();
  device.allow();
  expect(device.isWatched).toBe(false);
});

test('P5 shares of others, and those that are not live, are not tracked', async () => {
  await begin({ user_id: 'bea' });
  await begin({ end_at: new Date(clock.now()).toISOString() });
  const message = aMessage('m', { user: aUser('bea'), shared_location: aShare() });
  await receive({ type: 'message.new', message });

  expect([active(), device.isWatched]).toEqual([[], false]);
});

test('P5 a share of another device is shown and not moved', async () => {
  await begin({ created_by_device_id: 'there' });

  expect([active(), device.isWatched]).toEqual([['m'], false]);
});

test('P5 it is dropped at its end', async () => {
  await begin();

  clock.advance(15 * minute - 1);
  expect(active()).toEqual(['m']);
  clock.advance(1);

  await vi.waitFor(() => expect([active(), device.isWatched]).toEqual([[], false]));
});

test.each([
  ['an update without a location', { type: 'message.updated', message: { user: { id: 'ann' } } }],
  ['a delete', { type: 'message.deleted', hard_delete: false, message: {} }],
  ['the stopped event', { type: 'live_location_sharing.stopped' }],
  ['a truncated channel', { type: 'channel.truncated', channel: {} }],
  ['leaving', { type: 'notification.removed_from_channel', channel: {} }],
])('P5 it is dropped on %s', async (_, event: { type: string; message?: object }) => {
  await begin();

  await receive({
    shared_location: aShare(),
    ...event,
    ...(event.message && { message: aMessage('m', { user: aUser('ann'), ...event.message }) }),
  });

  expect([active(), device.isWatched]).toEqual([[], false]);
});

test('P5 to end a share names a time of the server, and sends nothing more meanwhile', async () => {
  await begin();
  device.move(5);

  await locations.stop('m');
  clock.advance(minute);

  const [stop] = server.requestsTo('/users/live_locations').filter(({ method }) => method === 'PUT');
  expect(stop?.body).toEqual({
    message_id: 'm',
    created_by_device_id: 'here',
    end_at: '2026-01-01T00:00:00.000Z',
  });
  expect([steps(), active(), device.isWatched]).toEqual([['stop'], [], false]);
});

test('P5 an end that could not be said is said after a reload, and nothing is sent meanwhile', async () => {
  await client.disconnect();
  const kept = new Map([['parley device', 'here']]);
  const storage = aStorage(kept);
  const { source: geolocation } = device;
  client = await visit({ geolocation, storage });
  const before = client.feature(locationsFeature);
  await begin();
  server.faults.fault = ({ method }) => (method === 'PUT' ? 'drop' : undefined);
  await expect(before.stop('m')).rejects.toThrow();
  await client.disconnect();
  server.faults.fault = () => undefined;
  server.state.locations = [aShare()];
  const asked = steps().length;

  client = await visit({ geolocation, storage });
  const after = client.feature(locationsFeature);

  await vi.waitFor(() => expect(after.isLoaded.get()).toBe(true));
  expect(device.isWatched).toBe(false);
  await vi.waitFor(() => expect(steps()).toHaveLength(asked + 1));
  expect(steps().at(-1)).toBe('stop');
  await vi.waitFor(() => expect(kept.get('parley location ends')).toBe('[]'));
});

test('P5 without a user nothing is shared, in the words of the specification', async () => {
  await client.disconnect();

  await expect(locations.share(cid, { where: { latitude: 0, longitude: 0 } })).rejects.toThrow(
    texts.liveLocationServerSide,
  );
  expect(device.isWatched).toBe(false);
});

test('P5 a share that was on its way before a reload goes on, by the clock of the server', async () => {
  await client.disconnect();
  server.state.locations = [aShare()];
  client = await visit({
    geolocation: device.source,
    storage: aStorage(),
    clock: { ...clock, now: () => clock.now() - 5 * minute },
  });
  const again = client.feature(locationsFeature);

  await vi.waitFor(() => expect(again.active.get()).toHaveLength(1));
  expect(device.isWatched).toBe(true);
  expect(again.now()).toBe(clock.now());
  await client.disconnect();
  expect(device.isWatched).toBe(false);
});
