import { channelPreferences } from '@parley/client/channel-preferences';
import { reminders } from '@parley/client/reminders';
import { scheduledMessages } from '@parley/client/scheduled-messages';
import { createTestChat, createTestClock, type TestChat, type TestClient, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pause } from './support.ts';

/** The clock stands still: what happens in one millisecond has an order all the same. */
let chat: TestChat;
const clock = createTestClock();
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'], overrides: { clock } });
});
afterAll(() => chat.stop());

/** A channel of Ana's, open on two of her devices. */
const setUp = async (id: string) => {
  await chat.admin.channels.create('messaging', id, { created_by_id: 'ana', members: ['ana', 'bo'] });
  const open = async () => {
    const device = await chat.connect('ana', { environment: { random: () => 0 } });
    await device.client.channels.open('messaging', id);
    return device;
  };
  const [one, two] = [await open(), await open()];
  const cid = `messaging:${id}`;
  const state = ({ client }: TestClient) => client.channels.state(cid).get();
  const own = ({ client }: TestClient) => client.feature(channelPreferences);
  return { cid, path: { type: 'messaging', id }, one, two, state, own };
};

test.each([
  ['pinned', 'setPinned', 'pinned_at'],
  ['archived', 'setArchived', 'archived_at'],
] as const)('M14 a late reply does not undo a newer change: %s', async (word, act, field) => {
  const { cid, one, two, state, own } = await setUp(`late-${word}`);
  one.faults.onCall((url) => (url.includes('/member') ? { delayMs: 800 } : undefined));

  const acting = own(one)[act](cid, true);
  await until(() => state(one)?.membership?.[field] !== undefined, 'the event of the first act');
  await own(two)[act](cid, false);
  await until(() => state(one)?.membership?.[field] === undefined, 'the event of the second act');
  const replied = await acting;

  expect(replied).toMatchObject({ own_version: 1, [field]: expect.any(String) });
  expect(state(one)?.membership).toMatchObject({ own_version: 2 });
  expect(state(one)?.membership?.[field]).toBeUndefined();
});

test('M14 of hiding and showing the later one stands, whichever arrives first', async () => {
  const { cid, path, one, two, state, own } = await setUp('turned');
  const shown = new Promise((resolve) => one.client.on('channel.visible', resolve));
  one.faults.onFrame((json) => (json.startsWith('{"type":"channel.hidden"') ? { until: shown } : undefined));
  const received = new Promise((resolve) => one.client.on('channel.hidden', resolve));

  await own(two).hide(cid);
  const ana = await chat.as('ana');
  const reply = await ana.call('POST /channels/{type}/{id}/show', { path, body: {} });
  await received;

  expect(reply).toEqual({ own_version: 2 });
  expect(state(one)?.channel.hidden).toBe(false);
  expect(state(one)?.membership?.own_version).toBe(2);
});

test('M14 an answer that was read before a channel was hidden and muted takes back neither', async () => {
  const { cid, one, two, state, own } = await setUp('asked');
  let asked = 0;
  one.faults.onCall((url) => {
    if (!url.includes('/query')) return undefined;
    asked += 1;
    return { delayMs: 1000 };
  });
  // Everyone asks what they may do now.
  await chat.admin.channels.patch(cid, { frozen: true });
  await until(() => asked === 1, 'the question');
  await pause(200);

  await own(two).hide(cid);
  await own(two).mute(cid);
  await until(() => state(one)?.channel.hidden === true, 'the hiding');
  await until(() => state(one)?.channel.muted === true, 'the mute');
  await until(() => state(one)?.channel.own_capabilities !== undefined, 'the answer');

  expect(state(one)?.channel).toMatchObject({ hidden: true, muted: true, frozen: true });
});

test('P4 two changes of a reminder in one millisecond keep their order, and a late reply does not undo the second', async () => {
  const { cid, one, two } = await setUp('reminded');
  const { id } = await chat.admin.messages.send(cid, 'bo', { text: 'remember' });
  const [here, there] = [one.client.feature(reminders), two.client.feature(reminders)];
  await here.set(id, { note: 'first' });
  await until(() => there.all.get().has(id), 'the reminder on the other device');
  one.faults.onCall((url) => (url.includes('/reminders') ? { delayMs: 800 } : undefined));

  const setting = here.set(id, { note: 'second' });
  await until(() => here.all.get().get(id)?.note === 'second', 'the event of the second');
  const third = await there.set(id, { note: 'third' });
  await until(() => here.all.get().get(id)?.note === 'third', 'the event of the third');
  const second = await setting;

  expect(second.updated_at < third.updated_at).toBe(true);
  expect(here.all.get().get(id)?.note).toBe('third');
});

test('P4 two changes of a scheduled message in one millisecond keep their order', async () => {
  const { cid, one, two } = await setUp('scheduled');
  const [here, there] = [one.client.feature(scheduledMessages), two.client.feature(scheduledMessages)];
  const at = new Date(clock.now() + 3_600_000);
  const { id } = await here.add(cid, { text: 'first' }, at);
  const text = () => here.all.get()[0]?.message.text;
  one.faults.onCall((url) => (url.includes('/scheduled_messages') ? { delayMs: 800 } : undefined));

  const changing = here.change(id, { text: 'second' });
  await until(() => text() === 'second', 'the event of the second');
  const third = await there.change(id, { text: 'third' });
  await until(() => text() === 'third', 'the event of the third');
  const second = await changing;

  expect(second.updated_at < third.updated_at).toBe(true);
  expect(text()).toBe('third');
});
