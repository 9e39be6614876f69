import { createTestChat, type TestChat, type TestClient, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
  await chat.admin.channels.create('messaging', 'marker', {
    created_by_id: 'ana',
    members: ['ana', 'bo', 'cy'],
  });
});
afterAll(() => chat.stop());

const everything = { name: 'all', action: 'Allow', priority: 9 } as const;
const forServer = { name: 'server', action: 'Allow', priority: 998, roles: ['admin'] } as const;

let serial = 0;
const makeRoom = async (members: string[]) => {
  const type = `type-${++serial}`;
  await chat.admin.channelTypes.create({
    name: type,
    permissions: [{ ...forServer, roles: ['admin'] }, everything],
  });
  await chat.admin.channels.create(type, 'room', { created_by_id: 'ana', members });
  return { type, cid: `${type}:room` };
};

/** Everything a client hears of a channel, and a way to know that whatever was on its way has come. */
const listen = async (who: TestClient, cid: string) => {
  const heard: string[] = [];
  let markers = 0;
  who.client.on('all', (event) => {
    const about = (event as { cid?: string }).cid;
    if (about === cid) heard.push(event.type);
    if (about === 'messaging:marker' && event.type === 'message.new') markers++;
  });
  await who.client.channels.open('messaging', 'marker');
  const settled = async () => {
    const before = markers;
    await chat.admin.messages.send('messaging:marker', 'ana', { text: 'marker' });
    await until(() => markers > before, 'the marker');
  };
  return { heard, settled };
};

test('G2 who loses the role that reads gets no more events', async () => {
  await chat.admin.roles.create('reader');
  await chat.admin.users.upsert([{ id: 'ray', role: 'reader' }]);
  await chat.admin.channels.create('messaging', 'marker', { created_by_id: 'ana' });
  await chat.admin.channels.addMembers('messaging:marker', ['ray']);
  const type = 'readers';
  await chat.admin.channelTypes.create({
    name: type,
    permissions: [
      { ...forServer, roles: ['admin'] },
      { ...everything, roles: ['reader', 'channel_member'] },
    ],
  });
  await chat.admin.channels.create(type, 'room', { created_by_id: 'ana', members: ['ana'] });
  const ray = await chat.connect('ray');
  await ray.client.channels.open(type, 'room');
  const { heard, settled } = await listen(ray, `${type}:room`);

  await chat.admin.users.upsert([{ id: 'ray', role: 'user' }]);
  await settled();
  heard.length = 0;
  await chat.admin.messages.send(`${type}:room`, 'ana', { text: 'secret' });
  await settled();

  expect(heard).toEqual([]);
});

test('G2 a deactivated user is disconnected and refused until reactivated', async () => {
  await chat.admin.users.upsert([{ id: 'dan' }]);
  const dan = await chat.connect('dan');
  const raw = await chat.as('dan');

  await chat.admin.users.deactivate('dan');

  await until(() => dan.client.connection.get().status !== 'online', 'the end of the connection');
  expect(await raw.refused('GET /unread')).toMatchObject({ code: 5, status: 401 });
  await chat.admin.users.reactivate('dan');
  await raw.call('GET /unread');
});

test('G2 a member who may no longer read hears nothing, no notification either', async () => {
  const { type, cid } = await makeRoom(['ana', 'bo']);
  const bo = await chat.connect('bo');
  await bo.client.channels.open(type, 'room');
  const { heard, settled } = await listen(bo, cid);

  await chat.admin.channelTypes.update(type, { permissions: [{ ...forServer, roles: ['admin'] }] });
  heard.length = 0;
  await chat.admin.messages.send(cid, 'ana', { text: 'secret' });
  await settled();

  expect(heard).toEqual([]);
});

test('G2 a server may do everything, whatever the rules of the type', async () => {
  await chat.admin.channelTypes.create({ name: 'closed', permissions: [] });

  await chat.admin.channels.create('closed', 'room', { created_by_id: 'ana', members: ['ana'] });

  await chat.admin.messages.send('closed:room', 'ana', { text: 'from the server' });
});

test('G2 a revoked user is disconnected', async () => {
  const bo = await chat.connect('bo');

  await chat.admin.revokeUserToken('bo', new Date(Date.now() + 1000));

  await until(() => bo.client.connection.get().status !== 'online', 'the end of the connection', 7000);
  await chat.admin.revokeUserToken('bo', null);
});
