import type { Environment } from '@parley/client';
import { channelPreferences } from '@parley/client/channel-preferences';
import { createTestChat, createTestClock, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pause } from './support.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
});
afterAll(() => chat.stop());

let count = 0;
/** A channel of Ana and Bo in which Bo has said something. */
const scene = async () => {
  const [ana, bo] = await Promise.all([chat.as('ana'), chat.as('bo')]);
  const path = { type: 'messaging', id: `pref-${count++}` };
  await ana.call('POST /channels/{type}/{id}/query', { path, body: { data: { members: ['ana', 'bo'] } } });
  const say = (text: string) =>
    bo.call('POST /channels/{type}/{id}/message', { path, body: { message: { text } } });
  await say('hello');
  const cid = `${path.type}:${path.id}`;
  const list = async (filter: Record<string, unknown>) => {
    const { channels } = await ana.call('POST /channels', { body: { filter, limit: 100 } });
    return channels.map(({ channel }) => channel.cid);
  };
  return { ana, bo, path, cid, say, list };
};
const mine = { members: { $in: ['ana'] } };

test('M14 a hidden channel leaves the lists and comes back with the next message', async () => {
  const { ana, bo, path, cid, say, list } = await scene();

  await ana.call('POST /channels/{type}/{id}/hide', { path, body: {} });
  expect(await list(mine)).not.toContain(cid);
  expect(await list({ ...mine, hidden: true })).toContain(cid);
  expect(await list({ cid })).toEqual([cid]);
  const { channels } = await bo.call('POST /channels', { body: { filter: { members: { $in: ['bo'] } } } });
  expect(channels.map(({ channel }) => channel.cid)).toContain(cid);

  await say('again');
  expect(await list(mine)).toContain(cid);
});

test('M14 show lists a hidden channel again, and replies say hidden and muted', async () => {
  const { ana, path, cid, list } = await scene();
  await ana.call('POST /channels/{type}/{id}/hide', { path, body: {} });
  const state = () => ana.call('POST /channels/{type}/{id}/query', { path, body: {} });
  expect((await state()).channel).toMatchObject({ hidden: true, muted: false });

  await ana.call('POST /channels/{type}/{id}/show', { path, body: {} });

  expect((await state()).channel.hidden).toBe(false);
  expect(await list(mine)).toContain(cid);
});

test('M14 clearing the history empties it for oneself alone', async () => {
  const { ana, bo, path, say } = await scene();
  await ana.call('POST /channels/{type}/{id}/hide', { path, body: { clear_history: true } });
  await pause(5);
  await say('new');

  const seen = await ana.call('POST /channels/{type}/{id}/query', { path, body: {} });
  const kept = await bo.call('POST /channels/{type}/{id}/query', { path, body: {} });

  expect(seen.messages.map(({ text }) => text)).toEqual(['new']);
  expect(seen.read.find(({ user }) => user.id === 'ana')?.unread_messages).toBe(1);
  expect(kept.messages.map(({ text }) => text)).toEqual(['hello', 'new']);
});

test('M14 a muted channel counts in no total', async () => {
  const { ana, cid, list } = await scene();
  const unread = async () => (await ana.call('GET /unread')).total_unread_count;
  const before = await unread();

  const { channel_mutes } = await ana.call('POST /moderation/mute/channel', {
    body: { channel_cids: [cid] },
  });
  expect(channel_mutes.map(({ channel_cid }) => channel_cid)).toContain(cid);
  expect(await unread()).toBe(before - 1);
  expect(await list({ ...mine, muted: true })).toEqual([cid]);
  await ana.call('POST /moderation/unmute/channel', { body: { channel_cids: [cid] } });

  expect(await unread()).toBe(before);
});

test('M14 a mute with an expiration ends by itself', async () => {
  const { ana, path, cid } = await scene();

  await ana.call('POST /moderation/mute/channel', { body: { channel_cids: [cid], expiration: 30 } });
  await pause(60);

  const { channel } = await ana.call('POST /channels/{type}/{id}/query', { path, body: {} });
  expect(channel.muted).toBe(false);
});

test('M14 pinned channels come first, archived ones are found by the filter', async () => {
  const { ana, path, cid, list } = await scene();
  await scene();

  const { member } = await ana.call('PATCH /channels/{type}/{id}/member', {
    path,
    body: { set: { pinned: true, archived: true } },
  });
  expect(member).toMatchObject({ pinned_at: expect.any(String), archived_at: expect.any(String) });
  const sort = [
    { field: 'pinned_at', direction: -1 as const },
    { field: 'last_message_at', direction: -1 as const },
  ];
  const { channels } = await ana.call('POST /channels', { body: { filter: mine, sort } });
  expect(channels[0]?.channel.cid).toBe(cid);
  expect(channels[0]?.membership?.pinned_at).toBe(member.pinned_at);
  expect(await list({ ...mine, archived: true })).toEqual([cid]);
  expect(await list({ ...mine, pinned: true })).toEqual([cid]);

  const off = { set: { pinned: false, archived: false } };
  const again = await ana.call('PATCH /channels/{type}/{id}/member', { path, body: off });
  expect(again.member.pinned_at).toBeUndefined();
});

test('M14 nobody else sees what a channel is to a member', async () => {
  const { ana, bo, path, cid } = await scene();
  const { client } = await chat.connect('bo');
  await client.channels.open(path.type, path.id);
  const received: string[] = [];
  client.on('all', ({ type }) => received.push(type));

  await ana.call('PATCH /channels/{type}/{id}/member', { path, body: { set: { pinned: true } } });
  await ana.call('POST /channels/{type}/{id}/hide', { path, body: {} });
  await ana.call('POST /moderation/mute/channel', { body: { channel_cids: [cid] } });

  const { members } = await bo.call('POST /members/query', { body: path });
  await pause(50);
  expect(members.every((member) => member.pinned_at === undefined)).toBe(true);
  expect(received).toEqual([]);
});

test('M14 every device of the user follows: me, lists and channels', async () => {
  const { path, cid } = await scene();
  const here = await chat.connect('ana');
  const there = await chat.connect('ana');
  const preferences = here.client.feature(channelPreferences);
  const list = there.client.channels.list({ filter: mine, limit: 100 });
  await until(() => list.get().cids.includes(cid), 'the list');
  const state = () => there.client.channels.state(cid).get();

  await preferences.mute(cid);
  await until(() => state()?.channel.muted === true, 'the mute');
  expect(there.client.me.get()?.channel_mutes.map(({ channel_cid }) => channel_cid)).toContain(cid);
  await preferences.setPinned(cid, true);
  await until(() => state()?.membership?.pinned_at !== undefined, 'the pin');
  await preferences.hide(cid);
  await until(() => !list.get().cids.includes(cid), 'the list without it');
  await here.client.channels.open(path.type, path.id);
  await preferences.show(cid);

  await until(() => list.get().cids.includes(cid), 'the list with it');
  expect(preferences.mutes.get().map(({ channel_cid }) => channel_cid)).toContain(cid);
  list.stop();
});

test('M14 calls that are not allowed are refused', async () => {
  const { ana, bo, path, cid } = await scene();
  const cy = await chat.as('cy');
  const others = { path, body: { target_user_id: 'ana', set: { pinned: true } } };

  expect(await cy.refused('POST /channels/{type}/{id}/hide', { path, body: {} })).toMatchObject({ code: 17 });
  expect(await cy.refused('POST /channels/{type}/{id}/show', { path, body: {} })).toMatchObject({ code: 17 });
  const mute = { body: { channel_cids: [cid] } };
  expect(await cy.refused('POST /moderation/mute/channel', mute)).toMatchObject({ code: 17 });
  expect(await cy.refused('POST /moderation/unmute/channel', mute)).toMatchObject({ code: 17 });
  expect(await bo.refused('PATCH /channels/{type}/{id}/member', others)).toMatchObject({ code: 17 });
  const gone = { body: { channel_cids: [cid, 'messaging:none'] } };
  expect(await ana.refused('POST /moderation/mute/channel', gone)).toMatchObject({ code: 16 });
  expect((await ana.call('POST /channels/{type}/{id}/query', { path, body: {} })).channel.muted).toBe(false);
});

test.each([
  ['no channel at all', { channel_cids: [] }],
  ['a mute for less than no time', { channel_cids: ['messaging:a'], expiration: -1 }],
  ['what is no cid', { channel_cids: ['nonsense'] }],
])('M14 %s is no mute', async (_, body) => {
  const ana = await chat.as('ana');

  expect(await ana.refused('POST /moderation/mute/channel', { body })).toMatchObject({ code: 4 });
});

test.each([{ pinned: 'yes' }, { archived: 1 }, { pinned: null }, { pinned_at: '2026-01-01T00:00:00.000Z' }])(
  'M14 %j is no place for a channel',
  async (set) => {
    const { ana, path } = await scene();

    const refusal = await ana.refused('PATCH /channels/{type}/{id}/member', { path, body: { set } });

    expect(refusal).toMatchObject({ code: 4 });
  },
);

test('M14 a list that was requested before a channel was hidden does not show it again', async () => {
  const { ana, path, cid } = await scene();
  let answers: Promise<void> | undefined;
  const fetch: Environment['fetch'] = async (url, init) => {
    const wait = url.includes('/channels?') && String(init.body).includes('"limit":100') && answers;
    const response = await globalThis.fetch(url, init);
    if (wait) await wait;
    return response;
  };
  const { client } = await chat.connect('ana', { environment: { fetch } });
  const list = client.channels.list({ filter: mine, limit: 100 });
  await until(() => list.get().cids.includes(cid), 'the list');
  let answer = () => {};
  answers = new Promise((resolve) => {
    answer = resolve;
  });
  const asked = list.refresh();
  await pause(50);

  await ana.call('POST /channels/{type}/{id}/hide', { path, body: {} });
  await until(() => !list.get().cids.includes(cid), 'the list without it');
  answers = undefined;
  answer();
  await asked;

  expect(list.get().cids).not.toContain(cid);
  list.stop();
});

test('M14 C7 a channel that was hidden on another device while this one was offline leaves a list of several pages', async () => {
  const scenes = [await scene(), await scene(), await scene(), await scene(), await scene()];
  const [oldest, ...newer] = scenes.map(({ cid }) => cid);
  const { client, faults } = await chat.connect('ana');
  const list = client.channels.list({ filter: mine, limit: 2 });
  await until(() => list.get().hasMore, 'the first page');
  await list.loadMore();
  expect(list.get().cids).toEqual(newer.toReversed());

  faults.goOffline();
  await scenes[4]?.ana.call('POST /channels/{type}/{id}/hide', { path: scenes[4].path, body: {} });
  faults.restore();

  await until(() => list.get().cids.includes(oldest ?? ''), 'the list as it is now');
  expect(list.get().cids).toEqual([...newer.slice(0, 3).toReversed(), oldest]);
  list.stop();
});

test('M14 a mute ends at its time: the server says so, with the totals', async () => {
  const clock = createTestClock();
  await using own = await createTestChat({ users: ['ana', 'bo'], overrides: { clock } });
  await own.admin.channels.create('messaging', 'quiet', { created_by_id: 'bo', members: ['ana', 'bo'] });
  const bo = await own.as('bo');
  const path = { type: 'messaging', id: 'quiet' };
  await bo.call('POST /channels/{type}/{id}/message', { path, body: { message: { text: 'psst' } } });
  // The client's own clock stands still: it cannot know by itself.
  const still = { now: () => 0, setTimeout: () => 0, clearTimeout: () => undefined };
  const { client } = await own.connect('ana', { environment: { clock: still } });
  await client.channels.open('messaging', 'quiet');
  const isMuted = () => client.channels.state('messaging:quiet').get()?.channel.muted;
  await client.feature(channelPreferences).mute('messaging:quiet', { ms: 60_000 });
  await until(isMuted, 'the mute');
  expect(client.me.get()?.unread_count).toBe(0);

  clock.advance(60_000);
  // Mutes are looked for once a second. Hours within a few seconds would end the connection of a client that stands still.
  await until(async () => {
    clock.advance(1000);
    await pause(100);
    return isMuted() === false;
  }, 'its end');

  expect(client.me.get()).toMatchObject({ channel_mutes: [], unread_count: 1 });
});

test('M14 cleared messages are found nowhere, and later ones are', async () => {
  const { ana, bo, path, cid, say } = await scene();
  const { message: old } = await say('old words');
  const reply = { message: { text: 'old reply', parent_id: old.id } };
  await ana.call('POST /channels/{type}/{id}/message', { path, body: reply });
  await ana.call('POST /channels/{type}/{id}/hide', { path, body: { clear_history: true } });
  const { message: fresh } = await say('new words');
  await bo.call('POST /channels/{type}/{id}/message', { path, body: reply });

  const id = { id: old.id };
  const found = await ana.call('POST /search', { body: { query: 'words', filter: { cid } } });
  expect(found.results.map(({ message }) => message.id)).toEqual([fresh.id]);
  const query = { ids: `${old.id},${fresh.id}` };
  const { messages } = await ana.call('GET /channels/{type}/{id}/messages', { path, query });
  expect(messages.map((message) => message.id)).toEqual([fresh.id]);
  const { threads } = await ana.call('POST /threads', { body: {} });
  expect(threads.filter((thread) => thread.cid === cid)).toEqual([]);
  expect((await ana.call('GET /unread')).threads.filter((thread) => thread.cid === cid)).toEqual([]);
  for (const call of [
    'GET /messages/{id}',
    'GET /messages/{id}/replies',
    'GET /messages/{id}/receipts',
  ] as const) {
    expect((await ana.refused(call, { path: id })).code, call).toBe(16);
    await bo.call(call, { path: id });
  }
  const quote = { path, body: { message: { text: 'as you said', quoted_message_id: old.id } } };
  const refusal = await ana.refused('POST /channels/{type}/{id}/message', quote);
  expect(refusal).toMatchObject({ code: 4, details: [{ path: 'message.quoted_message_id' }] });
  const unread = { path, body: { message_id: old.id } };
  expect(await ana.refused('POST /channels/{type}/{id}/unread', unread)).toMatchObject({ code: 4 });
});

test('M14 live events about what one has cleared have no words, on each device, and nothing is missing in the log', async () => {
  const { ana, bo, path, cid, say } = await scene();
  const { message: old } = await say('old words');
  const { poll } = await bo.call('POST /polls', {
    body: { name: 'old poll', options: [{ text: 'old option' }] },
  });
  const asked = await bo.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { poll_id: poll.id } },
  });
  const share = { latitude: 52.5, longitude: 13.4, created_by_device_id: 'phone' };
  const end_at = new Date(Date.now() + 600_000).toISOString();
  const shared = await bo.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { shared_location: { ...share, end_at } } },
  });
  const devices = [await chat.connect('ana'), await chat.connect('ana')] as const;
  const frames: string[] = [];
  for (const { faults } of devices)
    faults.onFrame((json) => {
      if (json.includes(cid)) frames.push(json);
      return undefined;
    });
  const [before, after] = devices;
  await before.client.channels.open('messaging', path.id);
  await ana.call('POST /channels/{type}/{id}/hide', { path, body: { clear_history: true } });
  await after.client.channels.open('messaging', path.id);
  frames.length = 0;

  const id = { id: old.id };
  await bo.call('PATCH /messages/{id}', {
    path: id,
    body: { set: { text: 'old words, edited', pinned: true } },
  });
  await bo.call('POST /messages/{id}/reaction', { path: id, body: { reaction: { type: 'like' } } });
  await bo.call('PUT /users/live_locations', {
    body: { ...share, message_id: shared.message.id, latitude: 52.789 },
  });
  await bo.call('POST /messages/{id}/polls/{poll_id}/vote', {
    path: { id: asked.message.id, poll_id: poll.id },
    body: { vote: { option_id: poll.options[0]?.id ?? '' } },
  });
  await bo.call('DELETE /messages/{id}', { path: id, query: {} });
  const { message: fresh } = await say('new words');

  const isThere = ({ client }: (typeof devices)[number]) =>
    client.channels
      .state(cid)
      .get()
      ?.messages.some((message) => message.id === fresh.id) === true;
  await until(() => devices.every(isThere), 'the new message on both devices');
  const types = frames.map((json) => (JSON.parse(json) as { type: string }).type);
  expect(types.filter((type) => type === 'message.updated').length).toBeGreaterThanOrEqual(2);
  expect(types.filter((type) => type === 'reaction.new')).toHaveLength(2);
  for (const words of ['old words', 'old poll', 'old option', '52.789'])
    expect(frames.join()).not.toContain(words);
  for (const { client } of devices)
    expect(
      client.channels
        .state(cid)
        .get()
        ?.messages.map((message) => message.id),
    ).toEqual([fresh.id]);
});
