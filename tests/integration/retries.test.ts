import { drafts as draftsFeature } from '@parley/client/drafts';
import { locations as locationsFeature } from '@parley/client/locations';
import { unreadTotal } from '@parley/client/reads';
import { reminders as remindersFeature } from '@parley/client/reminders';
import { scheduledMessages } from '@parley/client/scheduled-messages';
import { threads as threadsFeature } from '@parley/client/threads';
import { createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
const cid = 'messaging:lossy';
const path = { type: 'messaging', id: 'lossy' };
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
  await chat.admin.channels.create('messaging', 'lossy', { created_by_id: 'ana', members: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

/** A client whose calls to some paths are lost while `isDown`; its connection stays. */
const connect = async (user: string, lost: RegExp) => {
  const made = await chat.connect(user, { environment: { random: () => 0 } });
  const network = { isDown: true, calls: 0 };
  made.faults.onCall((url, method) => {
    if (!lost.test(`${method} ${new URL(url).pathname}`)) return undefined;
    network.calls += 1;
    return network.isDown ? 'refuse' : undefined;
  });
  return { ...made, network };
};

test('M10 a mark-read that the network lost is made again by itself, and shows meanwhile', async () => {
  const { client, network } = await connect('bo', /^POST .*\/lossy\/read$/);
  await client.channels.open('messaging', 'lossy');
  await chat.admin.messages.send(cid, 'ana', { text: 'one' });
  const unread = () => client.channels.state(cid).get()?.unread;
  await until(() => unread() === 1, 'the message');

  const marked = client.reads.markRead(cid);
  await until(() => network.calls >= 2, 'a second try');
  expect(unread()).toBe(0);
  network.isDown = false;
  await marked;

  const reply = await (await chat.as('bo')).call('GET /unread', {});
  expect([reply.total_unread_count, unread()]).toEqual([0, 0]);
});

test('M10 a mark-unread takes the place of a mark-read that waits for the network', async () => {
  const { client, network } = await connect('bo', /^POST .*\/lossy\/read$/);
  await client.channels.open('messaging', 'lossy');
  const { id } = await chat.admin.messages.send(cid, 'ana', { text: 'two' });
  await until(() => client.channels.state(cid).get()?.unread === 1, 'the message');

  const marked = client.reads.markRead(cid);
  await until(() => network.calls >= 1, 'the first try');
  await client.reads.markUnread(cid, id);
  await expect(marked).rejects.toMatchObject({ name: 'NetworkError' });
  network.isDown = false;

  expect(client.channels.state(cid).get()?.unread).toBe(1);
});

test('M10 a mark-read that is refused is not repeated', async () => {
  const { client, network } = await connect('cy', /^POST .*\/lossy\/read$/);
  network.isDown = false;

  await expect(client.reads.markRead(cid)).rejects.toMatchObject({ name: 'NotAllowed' });

  expect(network.calls).toBe(1);
});

test('P4 M8 P5 first loads that the network lost are made again without a reconnect', async () => {
  const ana = await chat.as('ana');
  const { id } = await chat.admin.messages.send(cid, 'bo', { text: 'remember' });
  await ana.call('POST /messages/{id}/reminders', { path: { id }, body: {} });
  await ana.call('POST /channels/{type}/{id}/draft', { path, body: { message: { text: 'half' } } });
  const hour = new Date(Date.now() + 3_600_000).toISOString();
  await ana.call('POST /channels/{type}/{id}/scheduled_messages', {
    path,
    body: { message: { id: crypto.randomUUID(), text: 'later' }, send_at: hour },
  });
  const shared_location = { latitude: 1, longitude: 2, created_by_device_id: 'd', end_at: hour };
  await ana.call('POST /channels/{type}/{id}/message', { path, body: { message: { shared_location } } });
  await chat.admin.messages.send(cid, 'bo', { text: 'unread' });
  const { client, network } = await connect(
    'ana',
    /\/(reminders|drafts|scheduled_messages)\/query$|live_locations$|GET .*\/unread$/,
  );
  const reminders = client.feature(remindersFeature);
  const drafts = client.feature(draftsFeature);
  const scheduled = client.feature(scheduledMessages);
  const locations = client.feature(locationsFeature);
  const total = client.feature(unreadTotal);
  await until(() => network.calls >= 10, 'second tries of all');
  expect([reminders.isLoaded.get(), scheduled.isLoaded.get(), drafts.all.get().length]).toEqual([
    false,
    false,
    0,
  ]);

  network.isDown = false;

  await until(() => reminders.all.get().has(id), 'the reminder');
  await until(() => drafts.all.get().some(({ text }) => text === 'half'), 'the draft');
  await until(() => scheduled.all.get().length === 1, 'the scheduled message');
  await until(() => locations.active.get().length === 1, 'the location');
  await until(() => total.get() > 0, 'the total');
});

test('M6 the badge of threads falls at once when a thread is read, before the server has answered', async () => {
  const { id } = await chat.admin.messages.send(cid, 'ana', { text: 'parent' });
  const { client, network } = await connect('ana', /^POST .*\/lossy\/read$/);
  const threads = client.feature(threadsFeature);
  await chat.admin.messages.send(cid, 'bo', { text: 'reply', parent_id: id });
  await until(() => threads.unread.get() === 1, 'the badge');
  await threads.load();

  const read = threads.markRead(cid, id);
  expect(threads.unread.get()).toBe(0);
  await until(() => network.calls >= 2, 'a second try');
  network.isDown = false;
  await read;

  await until(() => client.me.get()?.unread_threads === 0, 'the total of the server');
  expect(threads.unread.get()).toBe(0);
});

test('M6 the badge of threads falls when the only reply of an unread thread is deleted, also for who does not watch', async () => {
  const { id } = await chat.admin.messages.send(cid, 'ana', { text: 'another parent' });
  const { client } = await chat.connect('ana');
  const threads = client.feature(threadsFeature);
  const reply = await chat.admin.messages.send(cid, 'bo', { text: 'reply', parent_id: id });
  await until(() => threads.unread.get() === 1, 'the badge');

  await chat.admin.messages.delete(reply.id);

  await until(() => threads.unread.get() === 0, 'the badge to fall');
});
