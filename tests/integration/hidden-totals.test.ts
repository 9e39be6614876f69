import { channelPreferences } from '@parley/client/channel-preferences';
import { unreadTotal } from '@parley/client/reads';
import { createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy', 'di'] });
});
afterAll(() => chat.stop());

const say = (cid: string, text: string) => chat.admin.messages.send(cid, 'ana', { text });
const storedTotal = async (userId: string): Promise<number> =>
  (await (await chat.as(userId)).call('GET /unread', {})).total_unread_count;

/** A channel of Ana's with two messages that the reader has not read, and what their device counts. */
const setUp = async (reader: string) => {
  const id = `with-${reader}`;
  await chat.admin.channels.create('messaging', id, { created_by_id: 'ana', members: ['ana', reader] });
  const cid = `messaging:${id}`;
  await say(cid, 'one');
  await say(cid, 'two');
  const { client } = await chat.connect(reader);
  const total = client.feature(unreadTotal);
  return { cid, client, total, preferences: client.feature(channelPreferences) };
};

test('M14 a hidden channel that is not loaded counts in no total, until a message shows it again', async () => {
  const { cid, client, total, preferences } = await setUp('bo');
  await until(() => total.get() === 2, 'the total');

  await preferences.hide(cid);
  await until(() => total.get() === 0, 'the total without the hidden channel');
  await until(() => client.me.get()?.unread_count === 0, 'the total of the server');
  expect(await storedTotal('bo')).toBe(0);

  await say(cid, 'three');
  await until(() => total.get() === 3, 'the total with the channel that came back');
  expect(await storedTotal('bo')).toBe(3);
});

test('M14 a device that comes later counts a hidden channel neither, and all of it once it is back', async () => {
  const { cid, preferences } = await setUp('cy');
  await preferences.hide(cid);
  const { client } = await chat.connect('cy');
  expect(client.me.get()).toMatchObject({ unread_count: 0, unread_channels: 0 });
  const total = client.feature(unreadTotal);
  const reply = await client.reads.unread();
  expect(reply.channels).toMatchObject([{ channel_id: cid, unread_count: 2, hidden: true }]);
  expect(total.get()).toBe(0);

  await say(cid, 'three');
  await until(() => total.get() === 3, 'the total');
});

test('M14 a channel that is loaded counts by the same rule, and again when it is shown', async () => {
  const { cid, client, total, preferences } = await setUp('di');
  await client.channels.open('messaging', 'with-di');
  await until(() => total.get() === 2, 'the total');

  await preferences.hide(cid);
  await until(() => total.get() === 0, 'the total without it');
  await preferences.show(cid);
  await until(() => total.get() === 2, 'the total with it');
  await until(() => client.me.get()?.unread_count === 2, 'the total of the server');

  await preferences.hide(cid, { clearHistory: true });
  await until(() => total.get() === 0, 'nothing');
  await say(cid, 'three');
  await until(() => total.get() === 1, 'what came after');
  expect(await storedTotal('di')).toBe(1);
});
