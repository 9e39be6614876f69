import { createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

test('C7 a user who reloads is online for those who ask meanwhile, and offline for all once they stay away', async () => {
  const first = await chat.connect('ana');
  await first.client.disconnect();
  const bo = await chat.connect('bo');
  await bo.client.channels.open('messaging', 'room');
  const isOnline = () => bo.client.presence.isOnline('ana').get();

  expect(isOnline()).toBe(true);
  const again = await chat.connect('ana');
  expect(isOnline()).toBe(true);
  await again.client.disconnect();

  await until(() => !isOnline(), 'that Ana is gone');
});

test('C7 somebody who comes while a client asks who is online is online there, though the answer is older', async () => {
  const bo = await chat.connect('bo');
  const isOnline = () => bo.client.presence.isOnline('ana').get();
  await bo.client.presence.follow(['ana']);
  expect(isOnline()).toBe(false);
  let isAsked = false;
  bo.faults.onCall((url) => {
    isAsked ||= url.includes('/users/query');
    return { delayMs: 400 };
  });
  const asking = bo.client.presence.follow(['ana']);
  await until(() => isAsked, 'the question');
  await new Promise((resolve) => setTimeout(resolve, 100));
  const ana = await chat.connect('ana');
  await until(isOnline, 'the event');
  await asking;

  expect(isOnline()).toBe(true);
  for (const { client } of [ana, bo]) await client.disconnect();
});

let serial = 0;
const makeRoom = async (type = 'messaging') => {
  const id = `room-${++serial}`;
  await chat.admin.channels.create(type, id, { created_by_id: 'ana', members: ['ana', 'bo'] });
  return { cid: `${type}:${id}`, path: { type, id } };
};

/** A connection of Bo's, and the names in the events of Ana's record. */
const listen = async () => {
  const { client } = await chat.connect('bo');
  const names: (string | undefined)[] = [];
  client.on('user.updated', ({ user }) => void (user.id === 'ana' && names.push(user.name)));
  const state = client.connection.get();
  const query = { connection_id: state.status === 'online' ? state.connectionId : '' };
  let markers = 0;
  client.on('notification.added_to_channel', () => void markers++);
  /** Ana takes a name; what of it comes to Bo has come once a later notification has. */
  const rename = async (name: string) => {
    await (await chat.as('ana')).call('PATCH /users', { body: { users: [{ id: 'ana', set: { name } }] } });
    const before = markers;
    await makeRoom();
    await until(() => markers > before, 'the marker');
  };
  return { client, names, query, rename };
};
const whole = { watch: true, presence: true };
const query = 'POST /channels/{type}/{id}/query';

test.each([
  ['watched', whole],
  ['looked at', { presence: true }],
])('G2 a removed member receives nothing more of the people of a channel they %s', async (_how, body) => {
  const bo = await listen();
  const caller = await chat.as('bo');
  const { cid, path } = await makeRoom();
  await caller.call(query, { path, query: bo.query, body });
  await bo.rename('seen');
  expect(bo.names).toEqual(['seen']);

  await chat.admin.channels.removeMembers(cid, ['bo']);
  await bo.rename('unseen');

  expect(bo.names).toEqual(['seen']);
});

test('C7 a member removed from one of two channels still receives changes of the people of the other', async () => {
  const bo = await listen();
  const caller = await chat.as('bo');
  const [first, second] = [await makeRoom(), await makeRoom()];
  for (const { path } of [first, second]) await caller.call(query, { path, query: bo.query, body: whole });

  await chat.admin.channels.removeMembers(first.cid, ['bo']);
  await bo.rename('still seen');
  await caller.call('POST /channels/{type}/{id}/stop-watching', {
    path: second.path,
    query: bo.query,
    body: {},
  });
  await bo.rename('not asked for any more');

  expect(bo.names).toEqual(['still seen']);
});

test('C7 a client that asked for a person still receives changes of them when a channel ends', async () => {
  const bo = await listen();
  const caller = await chat.as('bo');
  const { cid, path } = await makeRoom();
  await caller.call(query, { path, query: bo.query, body: whole });
  await caller.call('POST /users/query', {
    query: bo.query,
    body: { filter: { id: 'ana' }, presence: true },
  });

  await chat.admin.channels.delete(cid);
  await bo.rename('asked for');

  expect(bo.names).toEqual(['asked for']);
});

test('G2 a guest who asked for a person receives nothing more of them once no channel is shared', async () => {
  const { client } = chat.createTestClient();
  const me = await client.connectGuest({ id: 'vi' });
  const { cid } = await makeRoom();
  await chat.admin.channels.addMembers(cid, [me.id]);
  const names: (string | undefined)[] = [];
  client.on('user.updated', ({ user }) => void (user.id === 'ana' && names.push(user.name)));
  let removed = false;
  client.on('notification.removed_from_channel', () => {
    removed = true;
  });
  const state = client.connection.get();
  const found = await (await chat.as(me.id)).call('POST /users/query', {
    query: { connection_id: state.status === 'online' ? state.connectionId : '' },
    body: { filter: { id: 'ana' }, presence: true },
  });
  expect(found.users).toHaveLength(1);
  const rename = async (name: string) => {
    await (await chat.as('ana')).call('PATCH /users', { body: { users: [{ id: 'ana', set: { name } }] } });
  };
  await rename('seen by the guest');
  await until(() => names.length === 1, 'the name');

  await chat.admin.channels.removeMembers(cid, [me.id]);
  await until(() => removed, 'the removal');
  await rename('unseen by the guest');
  let isMarked = false;
  client.on('notification.added_to_channel', () => {
    isMarked = true;
  });
  await chat.admin.channels.addMembers((await makeRoom()).cid, [me.id]);
  await until(() => isMarked, 'the marker');

  expect(names).toEqual(['seen by the guest']);
});
