import { keptScreen, type Screen } from '@parley/client/channels';
import { countMarks } from '@parley/client/reads';
import { createTestChat, type TestChat, type TestClient, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
});
afterAll(() => chat.stop());

let serial = 0;
type SceneOptions = {
  type?: string;
  /** Runs while Ana has the channel open, before her screen is kept. */
  before?: (ana: TestClient, cid: string) => Promise<void>;
};
/** A channel with two messages, and Ana's screen of it as a browser keeps it. */
const scene = async ({ type = 'messaging', before }: SceneOptions = {}) => {
  const id = `kept-${++serial}`;
  const cid = `${type}:${id}`;
  const query = { filter: { members: { $in: ['ana'] }, cid }, messageLimit: 3 };
  await chat.admin.channels.create(type, id, { created_by_id: 'bo', members: ['ana', 'bo'] });
  for (const text of ['one', 'two']) await chat.admin.messages.send(cid, 'bo', { text });
  const ana = await chat.connect('ana');
  const { client } = ana;
  await client.channels.open(type, id);
  await before?.(ana, cid);
  const taken = client.feature(keptScreen).take(query, [cid], { open: cid });
  await client.disconnect();
  expect(client.feature(keptScreen).take(query, [cid])).toBeUndefined();
  return { cid, query, screen: JSON.parse(JSON.stringify(taken)) as Screen };
};

const textsAt = ({ client }: TestClient, cid: string): string[] =>
  (client.channels.state(cid).get()?.messages ?? []).map((message) => message.text);

test('C7 a kept screen is drawn before the connection, and the log brings it up to date', async () => {
  const { cid, query, screen } = await scene();
  await chat.admin.messages.send(cid, 'bo', { text: 'three' });

  const ana = chat.createTestClient();
  ana.client.feature(keptScreen).show(screen);
  expect(textsAt(ana, cid)).toEqual(['one', 'two']);
  expect(ana.client.me.get()?.id).toBe('ana');
  const recovered = new Promise((resolve) => ana.client.on('connection.recovered', resolve));
  const connected = ana.client.connectUser({ id: 'ana' }, await chat.token('ana'));
  const list = ana.client.channels.list(query);
  expect(list.get()).toMatchObject({ status: 'loading', cids: [cid] });

  await connected;
  await until(() => list.get().status === 'ready', 'the fresh list');
  await until(() => textsAt(ana, cid).length === 3, 'the message of meanwhile');
  expect(textsAt(ana, cid)).toEqual(['one', 'two', 'three']);
  await chat.admin.messages.send(cid, 'bo', { text: 'live' });
  await until(() => textsAt(ana, cid).at(-1) === 'live', 'the live message');
  // A list that is opened later asks, and does not begin with the kept one.
  await recovered;
  expect(ana.client.channels.list(query).get().cids).toEqual([]);
});

/** A screen of one channel, for a list that holds another one, too, once that is made. */
const sceneOfTwo = async () => {
  const { cid, screen } = await scene();
  const id = `between-${++serial}`;
  const filter = { members: { $in: ['ana'] }, cid: { $in: [cid, `messaging:${id}`] } };
  const make = () =>
    chat.admin.channels.create('messaging', id, { created_by_id: 'bo', members: ['ana', 'bo'] });
  const query = { ...screen.query, filter };
  return { cid, query, screen: { ...screen, query }, newCid: `messaging:${id}`, make };
};

test('C7 M2 a channel that the user is added to between an early list and the connection comes into the list', async () => {
  const { cid, query, screen, newCid, make } = await sceneOfTwo();
  const ana = chat.createTestClient();
  ana.client.feature(keptScreen).show(screen);
  await make();
  await chat.admin.messages.send(cid, 'bo', { text: 'three' });
  // The list waits for no other channel: this one cannot be brought up to date for now.
  let isBroken = true;
  ana.faults.onCall((url) => (isBroken && /\/(sync|users\/query)/.test(url) ? 'refuse' : undefined));
  const connected = ana.client.connectUser({ id: 'ana' }, await chat.token('ana'));
  const list = ana.client.channels.list(query);
  expect(list.get().cids).toEqual([cid]);
  await connected;

  await until(() => list.get().cids.includes(newCid), 'the channel of meanwhile');
  expect(list.get()).toMatchObject({ status: 'ready', cids: [cid, newCid] });
  isBroken = false;
  await until(() => textsAt(ana, cid).length === 3, 'the message of meanwhile');
});

test('C7 M2 a list that was answered without a connection is asked for again with one', async () => {
  const { query, newCid, make } = await sceneOfTwo();
  const { client, faults } = chat.createTestClient({ enableLongPollFallback: false });
  faults.blockSockets();
  const token = await chat.token('ana');
  await expect(client.connectUser({ id: 'ana' }, token)).rejects.toThrow('closed');
  const list = client.channels.list({ ...query, filter: { ...query.filter, cid: newCid } });
  await until(() => list.get().status === 'ready', 'the list without a connection');
  expect(list.get().cids).toEqual([]);
  await make();
  faults.restore();

  await until(() => list.get().cids.includes(newCid), 'the channel of meanwhile');
});

test('C7 a channel that the user may no longer see leaves a kept screen', async () => {
  const { cid, query, screen } = await scene();
  await chat.admin.channels.removeMembers(cid, ['ana']);

  const ana = chat.createTestClient();
  ana.client.feature(keptScreen).show(screen);
  const recovered = new Promise((resolve) => ana.client.on('connection.recovered', resolve));
  const connected = ana.client.connectUser({ id: 'ana' }, await chat.token('ana'));
  const list = ana.client.channels.list(query);
  await connected;

  await until(() => list.get().status === 'ready', 'the fresh list');
  expect(list.get().cids).toEqual([]);
  // The list and the log are asked at the same time, and either may answer first.
  await recovered;
  expect(textsAt(ana, cid)).toEqual([]);
});

test('C7 a sign-out leaves nothing of a kept screen to the next user', async () => {
  const { cid, query, screen } = await scene();
  const { client } = chat.createTestClient();
  client.feature(keptScreen).show(screen);
  await client.disconnect();

  expect(client.me.get()).toBeUndefined();
  expect(client.channels.state(cid).get()).toBeUndefined();
  await client.connectUser({ id: 'bo' }, await chat.token('bo'));
  expect(client.channels.list(query).get().cids).toEqual([]);
});

test('C7 a kept list without channels asks for the list at once', async () => {
  const { query, screen } = await scene();
  const ana = chat.createTestClient();
  ana.client.feature(keptScreen).show({ ...screen, cids: [], channels: [] });
  await ana.client.connectUser({ id: 'ana' }, await chat.token('ana'));
  const list = ana.client.channels.list(query);

  await until(() => list.get().status === 'ready', 'the fresh list');
  expect(list.get().cids).toEqual(screen.cids);
});

test('C7 a kept list of which no channel was kept asks for the list at once', async () => {
  const { query, screen } = await scene();
  const ana = chat.createTestClient();
  ana.client.feature(keptScreen).show({ ...screen, channels: [] });
  await ana.client.connectUser({ id: 'ana' }, await chat.token('ana'));
  const list = ana.client.channels.list(query);

  expect(list.get().cids).toEqual([]);
  await until(() => list.get().status === 'ready', 'the fresh list');
  expect(list.get().cids).toEqual(screen.cids);
});

test('C7 a kept list whose refresh fails at first ends as the server lists it', async () => {
  const { cid, query, screen } = await scene();
  const { cid: other, screen: second } = await scene();
  // Two fit on the screen that was kept; the list itself has one on a page, and does not hold the first any more.
  const { cid: next } = await scene();
  const both = { ...query, filter: { members: { $in: ['ana'] }, cid: { $in: [other, next] } }, limit: 1 };
  const ana = chat.createTestClient();
  ana.client.feature(keptScreen).show({
    ...screen,
    ...{ query: both, cids: [cid, other], channels: [...screen.channels, ...second.channels] },
  });
  let lists = 0;
  ana.faults.onCall((url) =>
    /\/channels(\?|$)/.test(url) && ++lists > 1 && lists < 4 ? 'refuse' : undefined,
  );
  const connected = ana.client.connectUser({ id: 'ana' }, await chat.token('ana'));
  const list = ana.client.channels.list(both);
  await connected;

  await until(() => list.get().status === 'error', 'the refresh that fails');
  expect(list.get().cids).toEqual([cid, other]);
  await until(() => list.get().status === 'ready', 'the fresh list');
  expect(list.get().cids).toEqual([next]);
});

test('C7 a message that was kept before its event came stays after those before it', async () => {
  const { cid, screen } = await scene({
    before: async (ana, cid) => {
      // Everything of the log: a later event would show that one is missing.
      ana.faults.onFrame((json) => (json.includes('"seq":') ? 'drop' : undefined));
      await chat.admin.messages.send(cid, 'bo', { text: 'theirs' });
      await ana.client.messages.send(cid, { text: 'mine' });
      expect(textsAt(ana, cid)).toEqual(['one', 'two', 'mine']);
    },
  });

  const ana = chat.createTestClient();
  ana.client.feature(keptScreen).show(screen);
  expect(textsAt(ana, cid)).toEqual(['one', 'two', 'mine']);
  await ana.client.connectUser({ id: 'ana' }, await chat.token('ana'));

  await until(() => textsAt(ana, cid).length === 4, 'the message of before');
  expect(textsAt(ana, cid)).toEqual(['one', 'two', 'theirs', 'mine']);
  await chat.admin.messages.send(cid, 'bo', { text: 'live' });
  await until(() => textsAt(ana, cid).length === 5, 'the live message');
  expect(textsAt(ana, cid).slice(-2)).toEqual(['mine', 'live']);
});

test('C7 an author who is no member any more gets the name of now on a kept screen', async () => {
  const { cid, screen } = await scene({
    before: async (ana, cid) => {
      await chat.admin.channels.addMembers(cid, ['cy']);
      await chat.admin.messages.send(cid, 'cy', { text: 'from cy' });
      await chat.admin.channels.removeMembers(cid, ['cy']);
      const isMember = () =>
        ana.client.channels
          .state(cid)
          .get()
          ?.members.some(({ user_id }) => user_id === 'cy');
      await until(
        () => textsAt(ana, cid).includes('from cy') && !isMember(),
        'the message without its member',
      );
    },
  });
  await chat.admin.users.upsert([{ id: 'cy', name: 'Cyrus' }]);

  const { client } = chat.createTestClient();
  client.feature(keptScreen).show(screen);
  const author = () => client.channels.state(cid).get()?.messages.at(-1)?.user?.name;
  expect(author()).toBe('Cy');
  await client.connectUser({ id: 'ana' }, await chat.token('ana'));
  await until(() => author() === 'Cyrus', 'the name of now');
});

test('C7 a kept channel gets the number of those who have read a message by now', async () => {
  const type = 'kept-hall';
  await chat.admin.channelTypes.create({ name: type, marks_limit: 1 });
  const { cid, screen } = await scene({
    type,
    before: async (ana, cid) => {
      await ana.client.messages.send(cid, { text: 'mine' });
      await until(() => ana.client.channels.state(cid).get()?.lastNumber === 3, 'the own message');
    },
  });
  const bo = await chat.connect('bo');
  await bo.client.channels.watch(cid);
  let hasCounted = false;
  bo.client.on('channel.read_counts', () => {
    hasCounted = true;
  });
  await bo.client.reads.markRead(cid);
  await until(() => hasCounted, 'the counts, which Ana misses');

  const { client } = chat.createTestClient();
  client.feature(keptScreen).show(screen);
  const readBy = () => {
    const state = client.channels.state(cid).get();
    const last = state?.messages.at(-1);
    return state && last && countMarks(state, last)?.read;
  };
  expect(readBy()).toBe(0);
  await client.connectUser({ id: 'ana' }, await chat.token('ana'));
  await until(() => readBy() === 1, 'the count of now');
});

test('C7 the settings of a type that changed meanwhile hold in a kept screen', async () => {
  const { cid, screen } = await scene();
  await chat.admin.channelTypes.update('messaging', { url_enrichment: false });
  const ana = chat.createTestClient();
  ana.client.feature(keptScreen).show(screen);
  const config = () => ana.client.channels.state(cid).get()?.channel.config;
  expect(config()?.url_enrichment).toBe(true);
  await ana.client.connectUser({ id: 'ana' }, await chat.token('ana'));

  await until(() => config()?.url_enrichment === false, 'the settings of now');
  await chat.admin.channelTypes.update('messaging', { url_enrichment: true });
});
