import { limits, type MessageInput, type SharedLocation, texts, times } from '@parley/protocol';
import { type Caller, createTestChat, createTestClock, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const minute = 60_000;
const clock = createTestClock();
const at = (ms: number): string => new Date(clock.now() + ms).toISOString();
const berlin = { latitude: 52.52, longitude: 13.405 };
const device = { created_by_device_id: 'phone' };

let chat: TestChat;
let ana: Caller;
let bo: Caller;
/** Belongs to no channel. */
let dee: Caller;
let server: Caller;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy', 'dee'], overrides: { clock } });
  [ana, bo, dee, server] = (await Promise.all([
    chat.as('ana'),
    chat.as('bo'),
    chat.as('dee'),
    chat.as(),
  ])) as [Caller, Caller, Caller, Caller];
});
afterAll(() => chat.stop());

let count = 0;
const makeRoom = async () => {
  const path = { type: 'messaging', id: `here-${count++}` };
  await chat.admin.channels.create(path.type, path.id, { created_by_id: 'ana', members: ['ana', 'bo'] });
  return { path, cid: `${path.type}:${path.id}` };
};
type Room = Awaited<ReturnType<typeof makeRoom>>;

const send = async (who: Caller, { path }: Room, message: MessageInput) =>
  (await who.call('POST /channels/{type}/{id}/message', { path, body: { message } })).message;
const refusedSend = (who: Caller, { path }: Room, shared_location: object) =>
  who.refused('POST /channels/{type}/{id}/message', { path, body: { message: { shared_location } } });
const shareLive = (room: Room, ms = 15 * minute, who = ana) =>
  send(who, room, { shared_location: { ...berlin, ...device, end_at: at(ms) } });
const put = (who: Caller, message_id: string, wish: object) =>
  who.call('PUT /users/live_locations', { body: { message_id, ...device, ...wish } });
const refusedPut = (who: Caller, message_id: string, wish: object) =>
  who.refused('PUT /users/live_locations', { body: { message_id, ...device, ...wish } });
const activeOf = async (who: Caller): Promise<SharedLocation[]> =>
  (await who.call('GET /users/live_locations')).active_live_locations;
const readBy = async (who: Caller, id: string) =>
  (await who.call('GET /messages/{id}', { path: { id } })).message.shared_location;
const logOf = async (who: Caller, { cid }: Room) =>
  (await who.call('POST /sync', { body: { cursors: { [cid]: 0 } } })).events as {
    type: string;
    shared_location?: SharedLocation;
    shared_locations?: SharedLocation[];
  }[];
/** Moves on by so long, and then step by step: what sleeps must be woken as time goes by. */
const moveUntil = async (ms: number, holds: () => Promise<void>): Promise<void> => {
  clock.advance(ms);
  await vi.waitFor(async () => {
    clock.advance(100);
    await holds();
  });
};
const typesOf = async (room: Room) =>
  (await logOf(bo, room)).map(({ type }) => type).filter((type) => type.startsWith('live_'));

test('P5 a place is sent once; it is no live location and is never followed', async () => {
  const room = await makeRoom();

  const message = await send(ana, room, { shared_location: { ...berlin, ...device } });

  expect(message.shared_location).toMatchObject({ ...berlin, ...device, user_id: 'ana', cid: room.cid });
  expect(message.shared_location?.end_at).toBeUndefined();
  expect(await readBy(bo, message.id)).toEqual(message.shared_location);
  expect(await activeOf(ana)).toEqual([]);
  expect(await typesOf(room)).toEqual([]);
  expect((await refusedPut(ana, message.id, berlin)).details).toMatchObject([{ path: 'message_id' }]);
});

test('P5 a live location is shared, moved by its device, listed for its owner, and stopped', async () => {
  const room = await makeRoom();
  const { id } = await shareLive(room);

  const { shared_location } = await put(ana, id, { latitude: 10, longitude: 20 });
  expect(shared_location).toMatchObject({
    message_id: id,
    latitude: 10,
    longitude: 20,
    end_at: at(15 * minute),
  });
  expect(await activeOf(ana)).toEqual([shared_location]);
  expect(await activeOf(bo)).toEqual([]);
  clock.advance(1000);
  await vi.waitFor(async () => expect(await typesOf(room)).toHaveLength(2));
  const stopped = await put(ana, id, { end_at: at(0) });

  expect(stopped.shared_location).toMatchObject({ latitude: 10, longitude: 20, end_at: at(0) });
  expect(await activeOf(ana)).toEqual([]);
  expect(await readBy(bo, id)).toEqual(stopped.shared_location);
  expect((await put(ana, id, { end_at: at(0) })).shared_location).toEqual(stopped.shared_location);
  expect(await typesOf(room)).toEqual([
    'live_location_sharing.started',
    'live_location_sharing.updated',
    'live_location_sharing.stopped',
  ]);
});

test('P5 positions of a channel are published together, at most once in three seconds', async () => {
  const room = await makeRoom();
  const [one, two] = [await shareLive(room), await shareLive(room, minute, bo)];
  const published = async () =>
    (await logOf(bo, room)).filter(({ type }) => type.endsWith('sharing.updated'));
  await put(ana, one.id, { latitude: 1, longitude: 1 });
  clock.advance(250);
  await vi.waitFor(async () => expect(await published()).toHaveLength(1));

  for (const latitude of [2, 3, 4]) await put(ana, one.id, { latitude, longitude: 1 });
  await put(bo, two.id, { latitude: 5, longitude: 5 });
  clock.advance(times.locationUpdate - 1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await published()).toHaveLength(1);
  clock.advance(251);

  await vi.waitFor(async () => expect(await published()).toHaveLength(2));
  const [, last] = await published();
  const places = last?.shared_locations?.map(({ message_id, latitude }) => [message_id, latitude]);
  expect(new Map(places as [string, number][])).toEqual(
    new Map([
      [one.id, 4],
      [two.id, 5],
    ]),
  );
});

test('P5 a share ends at its time though nobody looks, and that is published once', async () => {
  const room = await makeRoom();
  // A user who shares nothing else: the ends of other shares in these tests would be received too.
  await chat.admin.channels.addMembers(room.cid, ['cy']);
  const cy = await chat.as('cy');
  const { id } = await shareLive(room, 5 * minute, cy);
  const end = at(5 * minute);
  const { client } = await chat.connect('cy');
  const received: number[] = [];
  client.on('notification.live_locations_updated', ({ active_live_locations: active }) =>
    received.push(active.filter(({ message_id }) => message_id === id).length),
  );

  await moveUntil(5 * minute, async () => expect(await typesOf(room)).toHaveLength(2));
  await until(() => received.length > 0, 'the own device to be notified of it');
  // The end of a later share comes after all events of this one.
  const { id: later } = await shareLive(room, minute, cy);
  await moveUntil(2 * minute, async () => expect((await typesOf(room)).slice(2)).toHaveLength(2));
  await until(() => received.length >= 3, 'the end of the later share to be received');

  expect((await typesOf(room)).slice(0, 2)).toEqual([
    'live_location_sharing.started',
    'live_location_sharing.stopped',
  ]);
  expect(received).toEqual([0, 0, 0]);
  expect(await activeOf(cy)).toEqual([]);
  expect(later).not.toBe(id);
  expect((await refusedPut(cy, id, berlin)).message).toBe('The live location has ended');
  expect((await readBy(bo, id))?.end_at).toBe(end);
});

test('P5 a position that a server stored and did not live to publish is published by the next one', async () => {
  const room = await makeRoom();
  const { id } = await shareLive(room);
  await chat.server.kernel.db
    .updateTable('shared_locations')
    .set({ latitude: 7, untold: true })
    .where('message_id', '=', id)
    .execute();

  await moveUntil(20_000, async () => expect(await typesOf(room)).toHaveLength(2));

  expect((await logOf(bo, room)).at(-1)?.shared_locations).toMatchObject([{ message_id: id, latitude: 7 }]);
});

test('P5 live sharing is refused for server-side use, in the words of the specification', async () => {
  const room = await makeRoom();
  const { id } = await shareLive(room);
  const words = { name: 'NotAllowed', message: 'Live-location sharing is reserved for client-side use only' };
  expect(texts.liveLocationServerSide).toBe(words.message);

  const live = { ...berlin, ...device, end_at: at(minute) };
  const body = { message: { user_id: 'ana', shared_location: live } };
  expect(await server.refused('POST /channels/{type}/{id}/message', { path: room.path, body })).toMatchObject(
    words,
  );
  expect(await refusedPut(server, id, berlin)).toMatchObject(words);
  expect(await server.refused('GET /users/live_locations')).toMatchObject(words);
  const still = await send(server, room, { user_id: 'ana', shared_location: { ...berlin, ...device } });
  expect(still.shared_location).toMatchObject(berlin);
});

test.each([
  [{ ...berlin, latitude: 90.1 }, 'latitude'],
  [{ ...berlin, latitude: Number.NaN }, 'latitude'],
  [{ ...berlin, longitude: -180.1 }, 'longitude'],
  [{ ...berlin, longitude: '13' }, 'longitude'],
  [{ latitude: 1 }, 'longitude'],
])('P5 a place that is none is refused by its field: %o', async (where, field) => {
  const room = await makeRoom();
  const { id } = await shareLive(room);

  const refused = await refusedSend(ana, room, { ...where, ...device });
  expect(refused).toMatchObject({ name: 'InputInvalid' });
  expect(refused.details?.[0]?.path).toContain(field);
  const moved = await refusedPut(ana, id, where);
  expect(moved).toMatchObject({ name: 'InputInvalid' });
  expect(moved.details?.[0]?.path).toContain(field);
  expect(await readBy(bo, id)).toMatchObject(berlin);
});

test('P5 an end that is over, or more than a day ahead, is refused, and nothing is sent', async () => {
  const room = await makeRoom();
  const path = 'message.shared_location.end_at';
  for (const ms of [0, -minute, limits.liveLocationMostMs + 1, 365 * 24 * 60 * minute]) {
    const refused = await refusedSend(ana, room, { ...berlin, ...device, end_at: at(ms) });
    expect(refused).toMatchObject({ name: 'InputInvalid', details: [{ path }] });
  }
  const { id } = await shareLive(room, limits.liveLocationMostMs);
  const far = await refusedPut(ana, id, { end_at: at(limits.liveLocationMostMs + 1) });
  expect(far).toMatchObject({ name: 'InputInvalid', details: [{ path: 'end_at' }] });
  expect((await put(ana, id, { end_at: at(minute) })).shared_location.end_at).toBe(at(minute));
  expect((await logOf(bo, room)).filter(({ type }) => type === 'message.new')).toHaveLength(1);
});

test('P5 only the device that began a share moves it; another of the same person may stop it', async () => {
  const room = await makeRoom();
  const { id } = await shareLive(room);
  const other = { created_by_device_id: 'tablet' };

  for (const wish of [berlin, { end_at: at(2 * minute) }, { ...berlin, end_at: at(0) }]) {
    const refused = await refusedPut(ana, id, { latitude: 1, longitude: 1, ...wish, ...other });
    expect(refused).toMatchObject({ name: 'InputInvalid', details: [{ path: 'created_by_device_id' }] });
  }
  expect(await readBy(bo, id)).toMatchObject({ ...berlin, end_at: at(15 * minute) });
  const { shared_location } = await put(ana, id, { ...other, end_at: at(0) });
  expect(shared_location).toMatchObject({ ...berlin, ...device, end_at: at(0) });
});

test('P5 a clock that is wrong stops a share all the same: any time that is over will do', async () => {
  const room = await makeRoom();
  const { id, created_at } = await shareLive(room);

  clock.advance(minute);
  const { shared_location } = await put(ana, id, { end_at: created_at });

  expect(shared_location.end_at).toBe(at(0));
  expect(Date.parse((await ana.call('GET /users/live_locations')).now)).toBe(clock.now());
});

test('P5 nobody moves or stops what is not theirs; outsiders learn nothing', async () => {
  const room = await makeRoom();
  const { id } = await shareLive(room);
  const stop = { end_at: at(-1) };

  for (const wish of [berlin, stop]) {
    expect(await refusedPut(bo, id, wish)).toMatchObject({ name: 'NotAllowed' });
    expect(await refusedPut(dee, id, wish)).toMatchObject({ name: 'NotAllowed' });
    expect(await refusedPut(ana, 'no-such-message', wish)).toMatchObject({ name: 'NotFound' });
  }
  expect(await refusedSend(dee, room, { ...berlin, ...device })).toMatchObject({ name: 'NotAllowed' });
  expect(await refusedPut(ana, id, {})).toMatchObject({ details: [{ path: 'latitude' }] });
  expect(await activeOf(ana)).toContainEqual(await readBy(bo, id));
});

test('P5 a share ends with its message, with its location, and when its owner leaves', async () => {
  const room = await makeRoom();
  const [deleted, emptied, left] = [
    await shareLive(room, minute, bo),
    await send(bo, room, {
      text: 'On my way',
      shared_location: { ...berlin, ...device, end_at: at(minute) },
    }),
    await shareLive(room, minute, bo),
  ];

  await bo.call('DELETE /messages/{id}', { path: { id: deleted.id } });
  const { message } = await bo.call('PATCH /messages/{id}', {
    path: { id: emptied.id },
    body: { unset: ['shared_location'] },
  });
  expect(message.shared_location).toBeUndefined();
  expect((await activeOf(bo)).map(({ message_id }) => message_id)).toEqual([left.id]);
  await ana.call('POST /channels/{type}/{id}', { path: room.path, body: { remove_members: ['bo'] } });

  expect(await activeOf(bo)).toEqual([]);
  expect((await logOf(ana, room)).filter(({ type }) => type.endsWith('sharing.stopped'))).toHaveLength(3);
  expect((await readBy(ana, left.id))?.end_at).toBe(at(0));
});

test('P5 a location is not edited, not kept for later, and not all that is left may be taken away', async () => {
  const room = await makeRoom();
  const { id } = await shareLive(room);
  const path = { id };
  const shared_location = { ...berlin, ...device };

  const set = await ana.refused('PATCH /messages/{id}', { path, body: { set: { shared_location } } });
  expect(set.details).toMatchObject([{ path: 'set.shared_location' }]);
  const unset = await ana.refused('PATCH /messages/{id}', { path, body: { unset: ['shared_location'] } });
  expect(unset.message).toBe('A message must have text or an attachment');
  await ana.call('PUT /messages/{id}', { path, body: { message: { text: 'Here' } } });
  expect(await readBy(bo, id)).toMatchObject(berlin);
  const body = { message: { shared_location }, pending: true };
  const held = await ana.refused('POST /channels/{type}/{id}/message', { path: room.path, body });
  expect(held.details).toMatchObject([{ path: 'message.shared_location' }]);
  const later = await ana.refused('POST /channels/{type}/{id}/scheduled_messages', {
    path: room.path,
    body: { message: { shared_location }, send_at: at(minute) },
  });
  expect(later.details).toMatchObject([{ path: 'message.shared_location' }]);
});

test('P5 in a frozen channel nobody shares or moves; a share can still be stopped', async () => {
  const room = await makeRoom();
  const { id } = await shareLive(room);
  await server.call('PATCH /channels/{type}/{id}', { path: room.path, body: { set: { frozen: true } } });

  expect(await refusedPut(ana, id, berlin)).toMatchObject({ name: 'NotAllowed' });
  expect(await refusedSend(ana, room, { ...berlin, ...device })).toMatchObject({ name: 'NotAllowed' });
  expect((await put(ana, id, { end_at: at(-1) })).shared_location.end_at).toBe(at(0));
});

test('P5 a live location sent twice under one id is stored once, also after its end', async () => {
  const room = await makeRoom();
  const message = {
    id: `twice-${room.path.id}`,
    shared_location: { ...berlin, ...device, end_at: at(minute) },
  };
  const first = await send(ana, room, message);

  clock.advance(2 * minute);
  const again = await send(ana, room, message);

  expect(again.id).toBe(first.id);
  expect((await typesOf(room)).filter((type) => type.endsWith('started'))).toHaveLength(1);
});
