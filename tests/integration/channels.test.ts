import type { Environment } from '@parley/client';
import { createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
});
afterAll(() => chat.stop());

const colon = 'Invalid channel id; it cannot contain a colon';
const noMember = 'Please specify at least one member when creating a unique conversation';

test('M1 a channel id with a colon is refused by the client before it asks', async () => {
  const { client } = await chat.connect('ana');

  await expect(client.channels.open('messaging', 'a:b')).rejects.toThrow(colon);
  await expect(client.channels.open('mess:aging', 'a')).rejects.toThrow(colon);
  await expect(client.messages.send('messaging:a:b', { text: 'x' })).rejects.toThrow(colon);
});

test('M1 a channel id with a colon is refused by the server with the same words', async () => {
  const ana = await chat.as('ana');

  const refusal = await ana.refused('POST /channels/{type}/{id}/query', {
    path: { type: 'messaging', id: 'a:b' },
    body: {},
  });

  expect(refusal).toMatchObject({ code: 4, status: 400, message: colon });
});

test.each(['a b', 'ä', 'a/b', 'x'.repeat(65), '%00'])('M1 %s is no channel id either', async (id) => {
  const ana = await chat.as('ana');

  const refusal = await ana.refused('POST /channels/{type}/{id}/query', {
    path: { type: 'messaging', id },
    body: {},
  });

  expect(refusal.status).toBe(400);
});

test('M1 a good id makes a channel once, and gets it after that', async () => {
  const ana = await chat.as('ana');
  const path = { type: 'messaging', id: "Az09@_.!~*'()-" };
  const url = `/channels/messaging/${encodeURIComponent(path.id)}/query`;

  const made = await ana.raw('POST', url, { body: '{"data":{"name":"Good"}}' });
  const again = await ana.raw('POST', url, { body: '{"data":{"name":"Other"}}' });

  expect(made.status).toBe(201);
  expect(again.body).toMatchObject({ channel: { name: 'Good', created_by: { id: 'ana' } } });
});

test('M2 the same members give the same channel, whoever asks and in whatever order', async () => {
  const ana = await chat.connect('ana');
  const bo = await chat.connect('bo');

  const one = await ana.client.channels.direct(['bo', 'cy']);
  const two = await bo.client.channels.direct(['cy', 'ana']);
  const three = await bo.client.channels.direct(['cy', 'bo', 'ana', 'ana']);
  const other = await bo.client.channels.direct(['cy']);

  expect([two, three]).toEqual([one, one]);
  expect(other).not.toBe(one);
  expect(ana.client.channels.state(one).get()?.members).toHaveLength(3);
});

test('M2 twenty at once make one channel', async () => {
  const [ana, cy] = [await chat.as('ana'), await chat.as('cy')];
  const ask = (who: typeof ana) =>
    who.call('POST /channels/{type}/query', {
      path: { type: 'messaging' },
      body: { data: { members: ['ana', 'cy'] } },
    });

  const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(index % 2 ? ana : cy)));

  expect(new Set(replies.map(({ channel }) => channel.cid)).size).toBe(1);
  expect(replies.every(({ channel }) => channel.member_count === 2)).toBe(true);
});

test('M2 no member is refused, by the client and by the server', async () => {
  const { client } = await chat.connect('ana');
  const ana = await chat.as('ana');
  const path = { type: 'messaging' };

  await expect(client.channels.direct([])).rejects.toThrow(noMember);
  for (const body of [{}, { data: {} }, { data: { members: [] } }])
    expect(await ana.refused('POST /channels/{type}/query', { path, body })).toMatchObject({
      code: 4,
      message: noMember,
    });
});

test('M2 a member who does not exist is refused by name', async () => {
  const { client } = await chat.connect('ana');

  await expect(client.channels.direct(['nobody'])).rejects.toMatchObject({
    name: 'InputInvalid',
    message: expect.stringContaining('nobody'),
  });
});

test('M2 an added member is notified and finds the channel in the list', async () => {
  const bo = await chat.connect('bo');
  const list = bo.client.channels.list({ filter: { joined: true } });
  await until(() => list.get().status === 'ready', 'the list');
  const ana = await chat.connect('ana');

  const cid = await ana.client.channels.open('messaging', 'm2-new', { members: ['bo'] });

  await until(() => list.get().cids.includes(cid), 'the channel in the list');
  await ana.client.members.remove(cid, ['bo']);
  await until(() => !list.get().cids.includes(cid), 'the channel gone');
  list.stop();
});

test('M2 a channel of an unknown type is not found', async () => {
  const { client } = await chat.connect('ana');

  await expect(client.channels.open('nothing', 'x')).rejects.toMatchObject({ name: 'NotFound' });
  await expect(client.channels.direct(['bo'], {}, 'nothing')).rejects.toMatchObject({ name: 'NotFound' });
});

test('M2 a channel that comes or goes while a list is loading is in it, or is not', async () => {
  await using own = await createTestChat({ users: ['ana', 'bo'] });
  const make = (id: string, members: string[]) =>
    own.admin.channels.create('messaging', id, { created_by_id: 'ana', members });
  await make('stays', ['ana', 'bo']);
  await make('goes', ['ana', 'bo']);
  await make('comes', ['ana']);
  const { client, faults } = await own.connect('bo');
  // The first page is read, then held back until both changes have come.
  let pages = 0;
  faults.onCall((url) => (/\/channels\?/.test(url) && ++pages === 1 ? { delayMs: 1500 } : undefined));

  const list = client.channels.list({ filter: { joined: true } });
  await until(() => pages > 0, 'the question');
  await new Promise((resolve) => setTimeout(resolve, 300));
  await own.admin.channels.addMembers('messaging:comes', ['bo']);
  await until(() => list.get().cids.includes('messaging:comes'), 'the channel that came');
  // This comes before the other change, which would make the list ask for its page again at once.
  expect(list.get().status).toBe('loading');
  await own.admin.channels.removeMembers('messaging:goes', ['bo']);
  await until(() => list.get().status === 'ready', 'the page');
  await until(() => pages >= 3, 'the page once more');

  await until(() => list.get().cids.length === 2, 'both');
  expect([...list.get().cids].sort()).toEqual(['messaging:comes', 'messaging:stays']);
  list.stop();
});

/** Bo, and the function that holds back the replies to some of his lists once the server has read them; it returns how to let them go. */
const connectHeld = async (part: string) => {
  let gate: Promise<void> | undefined;
  let read = 0;
  const fetch: Environment['fetch'] = async (url, init) => {
    const wait = url.includes('/channels?') && String(init.body).includes(part) ? gate : undefined;
    const response = await globalThis.fetch(url, init);
    if (wait) read++;
    await wait;
    return response;
  };
  const { client } = await chat.connect('bo', { environment: { fetch } });
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    return () => {
      gate = undefined;
      resolve();
    };
  };
  return { client, hold, hasRead: () => read > 0 };
};

test('M2 a message that comes while a list is loaded again keeps its channel at the top', async () => {
  const { client, hold, hasRead } = await connectHeld('m2-top');
  const cids = ['messaging:m2-top-1', 'messaging:m2-top-2'];
  for (const id of ['m2-top-1', 'm2-top-2'])
    await chat.admin.channels.create('messaging', id, { created_by_id: 'ana', members: ['ana', 'bo'] });
  const list = client.channels.list({ filter: { cid: { $in: cids } } });
  await until(() => list.get().status === 'ready', 'the list');
  expect(list.get().cids).toEqual(cids.toReversed());

  const letGo = hold();
  const refreshed = list.refresh();
  await until(hasRead, 'the page as it was');
  await chat.admin.messages.send('messaging:m2-top-1', 'ana', { text: 'to the top' });
  await until(() => list.get().cids[0] === cids[0], 'the message');
  letGo();
  await refreshed;

  expect(list.get().cids).toEqual(cids);
  list.stop();
});

test('M2 a channel that comes again while the server is asked whether it fits a list is asked about again', async () => {
  const { client, hold, hasRead } = await connectHeld('"limit":1,');
  const cid = 'messaging:m2-again';
  await chat.admin.channels.create('messaging', 'm2-again', { created_by_id: 'ana', members: ['ana', 'bo'] });
  const list = client.channels.list({ filter: { joined: true, name: 'It fits now' } });
  await until(() => list.get().status === 'ready', 'the list');

  const letGo = hold();
  await chat.admin.messages.send(cid, 'ana', { text: 'does not fit yet' });
  await until(hasRead, 'the answer that it does not fit');
  await chat.admin.channels.patch(cid, { name: 'It fits now' });
  let events = 0;
  client.on('notification.message_new', () => events++);
  await chat.admin.messages.send(cid, 'ana', { text: 'fits' });
  await until(() => events > 0, 'the second message');
  letGo();

  await until(() => list.get().cids.includes(cid), 'the channel');
  list.stop();
});
