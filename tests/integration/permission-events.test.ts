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

/** All events of a channel that a client receives, and a way to know that whatever was on its way has come. */
const listen = async (who: TestClient, cid: string) => {
  const received: string[] = [];
  let markers = 0;
  who.client.on('all', (event) => {
    const about = (event as { cid?: string }).cid;
    if (about === cid && event.type !== 'notification.channel_unwatched') received.push(event.type);
    if (about === 'messaging:marker' && event.type === 'message.new') markers++;
  });
  await who.client.channels.open('messaging', 'marker');
  const settled = async () => {
    const before = markers;
    await chat.admin.messages.send('messaging:marker', 'ana', { text: 'marker' });
    await until(() => markers > before, 'the marker');
  };
  return { received, settled };
};

test('G2 a watcher who may no longer read gets no more events of the channel', async () => {
  const { type, cid } = await makeRoom(['ana']);
  const cy = await chat.connect('cy');
  await cy.client.channels.open(type, 'room');
  const { received, settled } = await listen(cy, cid);
  await chat.admin.messages.send(cid, 'ana', { text: 'before' });
  await until(() => received.includes('message.new'), 'the message before');

  await chat.admin.channelTypes.update(type, { permissions: [{ ...forServer, roles: ['admin'] }] });
  received.length = 0;
  const sent = await chat.admin.messages.send(cid, 'ana', { text: 'secret' });
  await chat.admin.messages.patch(sent.id, { text: 'still secret' });
  await settled();

  expect(received).toEqual([]);
});

test('G2 a member removed from a channel gets no more events of it', async () => {
  await chat.admin.channels.create('messaging', 'leave', { created_by_id: 'ana', members: ['ana', 'bo'] });
  const cid = 'messaging:leave';
  const bo = await chat.connect('bo');
  await bo.client.channels.open('messaging', 'leave');
  const { received, settled } = await listen(bo, cid);

  await chat.admin.channels.removeMembers(cid, ['bo']);
  await until(() => received.includes('notification.removed_from_channel'), 'the notice');
  received.length = 0;
  await chat.admin.messages.send(cid, 'ana', { text: 'secret' });
  await settled();

  expect(received).toEqual([]);
  expect(bo.client.channels.state(cid).get()).toBeUndefined();
  await expect(bo.client.channels.open('messaging', 'leave')).rejects.toMatchObject({ name: 'NotAllowed' });
});

test('G2 a deleted channel is gone for who watched it', async () => {
  await chat.admin.channels.create('messaging', 'doomed', { created_by_id: 'ana', members: ['ana', 'bo'] });
  const bo = await chat.connect('bo');
  await bo.client.channels.open('messaging', 'doomed');

  await chat.admin.channels.delete('messaging:doomed');

  await until(() => bo.client.channels.state('messaging:doomed').get() === undefined, 'it to go');
  await expect(bo.client.channels.open('messaging', 'doomed')).rejects.toMatchObject({ name: 'NotFound' });
  await expect(bo.client.messages.send('messaging:doomed', { text: 'x' })).rejects.toMatchObject({
    name: 'NotFound',
  });
});

test('G2 a frozen channel takes no message, no reaction and no typing', async () => {
  await chat.admin.channels.create('messaging', 'ice', { created_by_id: 'ana', members: ['ana', 'bo'] });
  const sent = await chat.admin.messages.send('messaging:ice', 'ana', { text: 'before' });
  await chat.admin.channels.patch('messaging:ice', { frozen: true });
  const bo = await chat.as('bo');
  const path = { type: 'messaging', id: 'ice' };

  const refusals = [
    await bo.refused('POST /channels/{type}/{id}/message', { path, body: { message: { text: 'x' } } }),
    await bo.refused('POST /messages/{id}/reaction', {
      path: { id: sent.id },
      body: { reaction: { type: 'x' } },
    }),
    await bo.refused('POST /channels/{type}/{id}/event', { path, body: { event: { type: 'typing.start' } } }),
    await bo.refused('PATCH /channels/{type}/{id}', { path, body: { set: { frozen: false } } }),
  ];

  expect(refusals.map(({ code }) => code)).toEqual([17, 17, 17, 17]);
});

test('G2 an anonymous visitor reads a livestream live, and writes nothing', async () => {
  await chat.admin.channels.create('livestream', 'show', { created_by_id: 'ana', members: ['ana'] });
  await chat.admin.messages.send('livestream:show', 'ana', { text: 'welcome' });
  const { client } = chat.createTestClient();
  await client.connectAnonymous();

  const cid = await client.channels.open('livestream', 'show');
  await chat.admin.messages.send(cid, 'ana', { text: 'live' });

  await until(() => client.channels.state(cid).get()?.messages.at(-1)?.text === 'live', 'the live message');
  const message = client.channels.state(cid).get()?.messages[0];
  const refused = { name: 'NotAllowed', code: 17 };
  await expect(client.messages.send(cid, { text: 'x' })).rejects.toMatchObject(refused);
  await expect(client.reactions.add({ cid, id: message?.id ?? '' }, 'like')).rejects.toMatchObject(refused);
  await expect(client.members.join(cid)).rejects.toMatchObject({ status: expect.any(Number) });
  await expect(client.users.update({ name: 'x' })).rejects.toMatchObject(refused);
  await expect(client.reads.unread()).rejects.toMatchObject(refused);
  await expect(client.channels.open('messaging', 'marker')).rejects.toMatchObject(refused);
  await expect(client.channels.open('livestream', 'made-by-nobody')).rejects.toMatchObject(refused);
});

test('G2 a guest talks in a livestream and makes no channel', async () => {
  await chat.admin.channels.create('livestream', 'guests', { created_by_id: 'ana', members: ['ana'] });
  const { client } = chat.createTestClient();
  const me = await client.connectGuest({ id: 'visitor', name: 'Vi' });
  const cid = await client.channels.open('livestream', 'guests');

  const sent = await client.messages.send(cid, { text: 'hello from a guest' });

  expect(sent.user).toMatchObject({ id: me.id, role: 'guest' });
  await expect(client.channels.open('messaging', 'mine')).rejects.toMatchObject({ name: 'NotAllowed' });
  await expect(client.channels.open('messaging', 'marker')).rejects.toMatchObject({ name: 'NotAllowed' });
  const others = await (await chat.as('bo')).call('POST /users/query', { body: { limit: 100 } });
  expect(others.users.some(({ id }) => id === me.id)).toBe(false);
});

test('G2 nobody watches through the connection of another, nor without one', async () => {
  const ana = await chat.connect('ana');
  const state = ana.client.connection.get();
  const connection_id = state.status === 'online' ? state.connectionId : '';
  const bo = await chat.as('bo');
  const path = { type: 'messaging', id: 'marker' };
  const body = { watch: true };

  const refusals = [
    await bo.refused('POST /channels/{type}/{id}/query', { path, body, query: { connection_id } }),
    await bo.refused('POST /channels', { body, query: { connection_id } }),
    await bo.refused('POST /channels/{type}/{id}/query', { path, body, query: { connection_id: 'nowhere' } }),
    await bo.refused('POST /channels/{type}/{id}/query', { path, body }),
    await bo.refused('POST /channels', { body }),
  ];

  for (const refusal of refusals)
    expect(refusal).toMatchObject({ code: 4, details: [{ path: 'connection_id' }] });
});

test('G2 a client that stops watching is notified of new messages as a member only', async () => {
  await chat.admin.channels.create('messaging', 'quiet', { created_by_id: 'ana', members: ['ana', 'bo'] });
  const bo = await chat.connect('bo');
  const { received, settled } = await listen(bo, 'messaging:quiet');
  await bo.client.channels.open('messaging', 'quiet');
  await bo.client.channels.stopWatching('messaging:quiet');
  await settled();
  received.length = 0;

  const sent = await chat.admin.messages.send('messaging:quiet', 'ana', { text: 'x' });
  await chat.admin.messages.patch(sent.id, { text: 'y' });
  await settled();

  expect(received).toEqual(['notification.message_new']);
});

test('G2 a user who loses the role that reads gets no more events', async () => {
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
  const { received, settled } = await listen(ray, `${type}:room`);

  await chat.admin.users.upsert([{ id: 'ray', role: 'user' }]);
  await settled();
  received.length = 0;
  await chat.admin.messages.send(`${type}:room`, 'ana', { text: 'secret' });
  await settled();

  expect(received).toEqual([]);
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

test('G2 a member who may no longer read receives nothing, no notification either', async () => {
  const { type, cid } = await makeRoom(['ana', 'bo']);
  const bo = await chat.connect('bo');
  await bo.client.channels.open(type, 'room');
  const { received, settled } = await listen(bo, cid);

  await chat.admin.channelTypes.update(type, { permissions: [{ ...forServer, roles: ['admin'] }] });
  received.length = 0;
  await chat.admin.messages.send(cid, 'ana', { text: 'secret' });
  await settled();

  expect(received).toEqual([]);
});

test('G2 a member who may no longer read receives no thread, and nothing of the channel counts', async () => {
  const { type, cid } = await makeRoom(['ana', 'bo']);
  const root = await chat.admin.messages.send(cid, 'bo', { text: 'root' });
  await chat.admin.messages.send(cid, 'ana', { text: 'first', parent_id: root.id });
  await chat.admin.messages.send(cid, 'ana', { text: 'said in the channel' });
  const bo = await chat.connect('bo');
  const caller = await chat.as('bo');
  const { received, settled } = await listen(bo, cid);
  const ofRoom = async () => {
    const { channels, threads } = await caller.call('GET /unread', {});
    return {
      channels: channels.filter(({ channel_id }) => channel_id === cid).length,
      threads: threads.filter((thread) => thread.cid === cid).length,
    };
  };
  expect(await ofRoom()).toEqual({ channels: 1, threads: 1 });
  const before = (await caller.call('GET /unread', {})).total_unread_count;

  await chat.admin.channelTypes.update(type, { permissions: [{ ...forServer, roles: ['admin'] }] });
  received.length = 0;
  await chat.admin.messages.send(cid, 'ana', { text: 'secret', parent_id: root.id });
  await settled();

  expect(received).toEqual([]);
  expect(await ofRoom()).toEqual({ channels: 0, threads: 0 });
  // The marker that came meanwhile counts, what was said in the channel does not.
  expect((await caller.call('GET /unread', {})).total_unread_count).toBe(before);
  const { client } = await chat.connect('bo');
  expect(client.me.get()).toMatchObject({ unread_threads: 0 });
});

test('G2 a server may do everything, whatever the rules of the type', async () => {
  await chat.admin.channelTypes.create({ name: 'closed', permissions: [] });

  await chat.admin.channels.create('closed', 'room', { created_by_id: 'ana', members: ['ana'] });

  await chat.admin.messages.send('closed:room', 'ana', { text: 'from the server' });
});

test('G2 a revoked user is disconnected', async () => {
  const bo = await chat.connect('bo');

  await chat.admin.revokeUserToken('bo', new Date(Date.now() + 1000));

  await until(() => bo.client.connection.get().status !== 'online', 'the end of the connection');
  await chat.admin.revokeUserToken('bo', null);
});

test('G2 nothing that is said while the rules of a type change is lost to who may still read', async () => {
  const { type, cid } = await makeRoom(['ana', 'bo', 'cy']);
  const [bo, cy] = [await chat.connect('bo'), await chat.connect('cy')];
  const [watched, notified]: [number[], string[]] = [[], []];
  bo.client.on('all', (event) => {
    const { cid: about, seq } = event as { cid?: string; seq?: number };
    if (about === cid && seq !== undefined) watched.push(seq);
  });
  cy.client.on('notification.message_new', ({ message }) => void notified.push(message.text ?? ''));
  const frames: number[] = [];
  bo.faults.onFrame((json) => {
    const {
      type: kind,
      cid: about,
      seq = 0,
    } = JSON.parse(json) as Record<'type' | 'cid', string> & { seq?: number };
    if (about === cid && kind === 'message.new') frames.push(seq);
    return undefined;
  });
  await bo.client.channels.open(type, 'room');

  const texts = Array.from({ length: 60 }, (_, index) => `m${index}`);
  const changes = (async () => {
    for (let index = 0; index < 20; index++)
      await chat.admin.channelTypes.update(type, {
        permissions: [{ ...forServer, roles: ['admin'] }, everything],
      });
  })();
  await Promise.all([changes, ...texts.map((text) => chat.admin.messages.send(cid, 'ana', { text }))]);
  await until(() => notified.length >= texts.length, 'all notifications');
  await until(() => frames.length >= texts.length, 'all frames');

  expect(new Set(frames).size).toBe(texts.length);
  expect(frames).toHaveLength(texts.length);
  expect(notified.toSorted()).toEqual(texts.toSorted());
  expect(watched).toEqual(watched.toSorted((a, b) => a - b));
});

test('G2 a client is notified when it is unwatched, and drops what it may no longer read', async () => {
  const { type, cid } = await makeRoom(['ana']);
  const cy = await chat.connect('cy');
  const received: string[] = [];
  cy.client.on('notification.channel_unwatched', (event) => void received.push(event.cid ?? ''));
  await cy.client.channels.open(type, 'room');

  await chat.admin.channelTypes.update(type, { permissions: [{ ...forServer, roles: ['admin'] }] });

  await until(() => cy.client.channels.state(cid).get() === undefined, 'it to go');
  expect(received).toEqual([cid]);
});
