import { keptScreen, type Screen } from '@parley/client/kept-screen';
import { createTestChat, type TestChat, type TestClient, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

let serial = 0;
/** A channel with two messages, and Ana's screen of it as a browser keeps it. */
const scene = async () => {
  const id = `kept-${++serial}`;
  const cid = `messaging:${id}`;
  const query = { filter: { members: { $in: ['ana'] }, cid }, messageLimit: 3 };
  await chat.admin.channels.create('messaging', id, { created_by_id: 'bo', members: ['ana', 'bo'] });
  for (const text of ['one', 'two']) await chat.admin.messages.send(cid, 'bo', { text });
  const { client } = await chat.connect('ana');
  await client.channels.open('messaging', id);
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
  expect(ana.client.channels.list(query).get().cids).toEqual([]);
});

test('C7 a channel that the user may no longer see leaves a kept screen', async () => {
  const { cid, query, screen } = await scene();
  await chat.admin.channels.removeMembers(cid, ['ana']);

  const ana = chat.createTestClient();
  ana.client.feature(keptScreen).show(screen);
  const connected = ana.client.connectUser({ id: 'ana' }, await chat.token('ana'));
  const list = ana.client.channels.list(query);
  await connected;

  await until(() => list.get().status === 'ready', 'the fresh list');
  expect(list.get().cids).toEqual([]);
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
