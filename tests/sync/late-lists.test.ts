/** Answers that come after events which followed them, for what is no list of messages. docs/sync.md, S9. */
import { channelMedia } from '@parley/client/attachments';
import { type Drafts, drafts as draftsFeature } from '@parley/client/drafts';
import { locations as locationsFeature } from '@parley/client/locations';
import { createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectHolding, type HoldingClient } from './held-answers.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

let serial = 0;
const createChannel = async () => {
  const id = `late-${++serial}`;
  await chat.admin.channels.create('messaging', id, { created_by_id: 'bo', members: ['ana', 'bo'] });
  return { cid: `messaging:${id}`, path: { type: 'messaging', id } };
};

type Client = HoldingClient['client'];
const received = (client: Client, type: Parameters<Client['on']>[0]) =>
  new Promise((resolve) => client.on(type, resolve));

test.each(['list', 'watch'] as const)(
  'S9 a %s that was read before one was removed does not bring the channel back',
  async (how) => {
    const { cid, path } = await createChannel();
    const { client, during } = await connectHolding(chat, 'ana');
    const bo = await chat.as('bo');
    const list = { stop: () => {} };
    const begin = () => {
      if (how === 'watch') return client.channels.watch(cid);
      Object.assign(list, client.channels.list({ filter: { cid } }));
      return undefined;
    };
    await during(how === 'list' ? /channels$/ : /query$/, begin, async () => {
      const removed = received(client, 'notification.removed_from_channel');
      await bo.call('POST /channels/{type}/{id}', { path, body: { remove_members: ['ana'] } });
      await removed;
    });
    await client.http.call('GET /unread', {});

    expect(client.channels.active.get()).toEqual([]);
    list.stop();
    await client.disconnect();
  },
);

test('S13 the list of pins does not restore the text of a pin that was deleted while it was on its way', async () => {
  const { cid } = await createChannel();
  const ids: string[] = [];
  const bo = await chat.as('bo');
  for (let index = 0; index < 11; index += 1) {
    const { id } = await chat.admin.messages.send(cid, 'bo', { text: `pin ${index}` });
    await bo.call('PATCH /messages/{id}', { path: { id }, body: { set: { pinned: true } } });
    ids.push(id);
  }
  const [, second = '', third = ''] = ids;
  const { client, during } = await connectHolding(chat, 'ana');
  await client.channels.watch(cid);
  const pinnedIds = () =>
    client.channels
      .state(cid)
      .get()
      ?.pinned.map(({ id }) => id);
  await during(
    /query$/,
    () => chat.admin.messages.delete(ids[10] ?? ''),
    async () => {
      const deleted = received(client, 'message.deleted');
      await chat.admin.messages.delete(third);
      await deleted;
    },
  );

  await until(() => pinnedIds()?.includes(ids[0] ?? '') || pinnedIds()?.length === 9, 'the list of pins');
  expect(pinnedIds()).toContain(second);
  expect(pinnedIds()).not.toContain(third);
  await client.disconnect();
});

test('S9 own reactions that were read before one was removed elsewhere do not restore it', async () => {
  const { cid } = await createChannel();
  const { id } = await chat.admin.messages.send(cid, 'bo', { text: 'liked' });
  const other = await chat.as('ana');
  for (let kind = 0; kind < 12; kind += 1) {
    const body = { reaction: { type: `kind-${kind}` } };
    await other.call('POST /messages/{id}/reaction', { path: { id }, body });
  }
  const { client, during } = await connectHolding(chat, 'ana');
  await client.channels.watch(cid);
  const bo = await chat.as('bo');
  await bo.call('DELETE /messages/{id}', { path: { id } });
  const undelete = () => bo.call('POST /messages/{id}/undelete', { path: { id }, body: {} });
  const own = () =>
    client.channels
      .state(cid)
      .get()
      ?.messages[0]?.own_reactions?.map(({ type }) => type);
  await during(new RegExp(`GET .*/messages/${id}$`), undelete, async () => {
    const removed = received(client, 'reaction.deleted');
    await other.call('DELETE /messages/{id}/reaction/{type}', { path: { id, type: 'kind-0' } });
    await removed;
  });

  await until(() => own()?.length === 11, 'the own reactions');
  expect(own()).not.toContain('kind-0');
  await client.disconnect();
});

test('S24 a draft that was deleted while the drafts were on their way stays deleted', async () => {
  const { path } = await createChannel();
  const other = await chat.as('ana');
  await other.call('POST /channels/{type}/{id}/draft', { path, body: { message: { text: 'typed' } } });
  const { client, during } = await connectHolding(chat, 'ana');
  const loaded: { drafts?: Drafts } = {};
  const begin = () => void Object.assign(loaded, { drafts: client.feature(draftsFeature) });
  await during(/drafts/, begin, async () => {
    const deleted = received(client, 'draft.deleted');
    await other.call('DELETE /channels/{type}/{id}/draft', { path, query: {} });
    await deleted;
  });
  await client.http.call('GET /unread', {});

  expect(loaded.drafts?.all.get()).toEqual([]);
  await client.disconnect();
});

test('S25 a live location that ended while the own ones were on their way stays ended', async () => {
  const { cid } = await createChannel();
  const first = await connectHolding(chat, 'ana');
  const sharing = first.client.feature(locationsFeature);
  await until(() => sharing.isLoaded.get(), 'the first load');
  await first.client.channels.watch(cid);
  const { id } = await sharing.share(cid, { where: { latitude: 1, longitude: 2 }, durationMs: 600_000 });
  const { client, during } = await connectHolding(chat, 'ana');
  const late: { active?: typeof sharing.active } = {};
  await during(
    /live_locations$/,
    () => void Object.assign(late, client.feature(locationsFeature)),
    async () => {
      const ended = received(client, 'notification.live_locations_updated');
      await sharing.stop(id);
      await ended;
    },
  );
  await client.http.call('GET /unread', {});
  expect(late.active?.get()).toEqual([]);
  await first.client.disconnect();
  await client.disconnect();
});

test('S9 the links of a channel do not list one whose message was deleted while they were on their way', async () => {
  const { cid } = await createChannel();
  const { id } = await chat.admin.messages.send(cid, 'bo', { text: 'see https://parley.example' });
  const { client, during } = await connectHolding(chat, 'ana');
  await client.channels.watch(cid);
  const links = client.feature(channelMedia).create(cid, 'links');
  await until(async () => {
    const { results } = await client.http.call('POST /search', { body: { filter: { cid, has_link: true } } });
    return results.length > 0;
  }, 'the index');
  await during(/search$/, links.load, async () => {
    const deleted = received(client, 'message.deleted');
    await chat.admin.messages.delete(id);
    await deleted;
  });
  expect(links.get().items).toEqual([]);
  links.stop();
  await client.disconnect();
});
