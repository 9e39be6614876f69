/** The own marks in threads are in no log: their changes are ordered by their version. docs/sync.md, S11. */
import { threads as threadsFeature } from '@parley/client/threads';
import { createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectHolding } from './held-answers.ts';
import { pause } from './verify.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
});
afterAll(() => chat.stop());

let serial = 0;
/** A message of Ana's that Bo has answered, and a client of Ana's with the inbox open. */
const observe = async () => {
  const id = `marks-${++serial}`;
  const path = { type: 'messaging', id };
  const cid = `messaging:${id}`;
  await chat.admin.channels.create('messaging', id, { created_by_id: 'cy', members: ['ana', 'bo', 'cy'] });
  const parent = (await chat.admin.messages.send(cid, 'ana', { text: 'parent' })).id;
  const answer = async (user: string, text: string) =>
    (await chat.admin.messages.send(cid, user, { text, parent_id: parent })).id;
  const made = await connectHolding(chat, 'ana');
  const threads = made.client.feature(threadsFeature);
  await threads.load();
  const reply = await answer('bo', 'one');
  const unread = () =>
    threads.list.get().threads.find((one) => one.parent_message_id === parent)?.read?.unread_messages;
  await until(() => threads.unread.get() === 1 && unread() === 1, 'the first reply');
  const ana = await chat.as('ana');
  const read = () => ana.call('POST /channels/{type}/{id}/read', { path, body: { thread_id: parent } });
  const close = async () => {
    await read();
    await made.client.disconnect();
  };
  return { ...made, ...{ threads, answer, unread, read, reply, parent, cid, path, ana, close } };
};
const isReply = (json: string) => json.startsWith('{"type":"notification.thread_message_new"');
const isRead = (json: string) => json.startsWith('{"type":"notification.mark_read"');

type Observed = Awaited<ReturnType<typeof observe>>;
type Notice = 'notification.thread_message_new' | 'notification.mark_read';

/** Resolves once the client has the event, also where it changes nothing any more. */
const arrival = ({ client }: Observed, type: Notice): Promise<unknown> =>
  new Promise((resolve) => client.on(type, resolve));

/** Holds events of this kind back. Returns a function that lets them come and waits for the first. */
const holdBack = (observed: Observed, type: Notice) => {
  const gate = Promise.withResolvers<void>();
  const isHeld = type === 'notification.mark_read' ? isRead : isReply;
  observed.faults.onFrame((json) => (isHeld(json) ? { until: gate.promise } : undefined));
  return async (): Promise<void> => {
    const late = arrival(observed, type);
    gate.resolve();
    await late;
  };
};

test('S11 a reply that comes after the reading of its thread does not make it unread', async () => {
  const observed = await observe();
  const { threads, answer, unread, read, close } = observed;
  const letCome = holdBack(observed, 'notification.thread_message_new');
  await answer('bo', 'two');
  await read();
  await until(() => unread() === 0, 'the reading');
  await letCome();

  expect([threads.unread.get(), unread()]).toEqual([0, 0]);
  await close();
});

test('S11 a reading that comes after a later reply does not make it read', async () => {
  const observed = await observe();
  const { threads, answer, unread, read, close } = observed;
  const letCome = holdBack(observed, 'notification.mark_read');
  const replied = arrival(observed, 'notification.thread_message_new');
  await read();
  await answer('bo', 'two');
  await replied;
  await letCome();

  expect([threads.unread.get(), unread()]).toEqual([1, 1]);
  await close();
});

test('S11 an own answer reads the thread on every device, whatever comes late', async () => {
  const observed = await observe();
  const { threads, answer, unread, close } = observed;
  const letCome = holdBack(observed, 'notification.thread_message_new');
  await answer('bo', 'two');
  await answer('ana', 'three');
  await until(() => threads.unread.get() === 0 && unread() === 0, 'the reading');
  await letCome();

  expect([threads.unread.get(), unread()]).toEqual([0, 0]);
  await close();
});

test('S11 replies that go and come back are ordered with each other', async () => {
  const observed = await observe();
  const { threads, reply, close } = observed;
  const letCome = holdBack(observed, 'notification.mark_read');
  const returned = arrival(observed, 'notification.thread_message_new');
  const bo = await chat.as('bo');
  await bo.call('DELETE /messages/{id}', { path: { id: reply } });
  await bo.call('POST /messages/{id}/undelete', { path: { id: reply }, body: {} });
  await returned;
  await letCome();

  expect(threads.unread.get()).toBe(1);
  await close();
});

test('S11 the threads of a channel that was left are in no badge, nor after a late answer or event', async () => {
  const { client, faults, threads, during, answer, unread, path } = await observe();
  const bo = await chat.as('cy');
  const leave = () => bo.call('POST /channels/{type}/{id}', { path, body: { remove_members: ['ana'] } });
  faults.onFrame((json) => (isReply(json) ? { delayMs: 600 } : undefined));
  await answer('bo', 'two');
  const begin = () => {
    faults.cutSockets();
    return threads.load();
  };
  await during(/threads$|unread$/, begin, async () => {
    await until(() => client.connection.get().status === 'online', 'the connection');
    const left = new Promise((resolve) => client.on('notification.removed_from_channel', resolve));
    await leave();
    await left;
  });
  await until(() => threads.unread.get() === 0 && unread() === undefined, 'the threads to go');
  await pause(700);

  expect([threads.unread.get(), unread()]).toEqual([0, undefined]);
  await client.disconnect();
});

test('S11 an answer from before a channel was left does not let a late reply of it count', async () => {
  const { client, faults, threads, calls, during, answer, path } = await observe();
  const other = { type: 'messaging', id: `marks-${++serial}` };
  await chat.admin.channels.create('messaging', other.id, { created_by_id: 'cy', members: ['cy'] });
  const cy = await chat.as('cy');
  const change = (of: typeof path, body: object) => cy.call('POST /channels/{type}/{id}', { path: of, body });
  const arrival = (type: 'notification.removed_from_channel' | 'notification.thread_message_new') =>
    new Promise((resolve) => client.on(type, resolve));
  const gate = Promise.withResolvers<void>();
  faults.onFrame((json) => (isReply(json) ? { until: gate.promise } : undefined));
  await answer('bo', 'two');
  const asked = () => calls.filter((call) => call.endsWith('/unread')).length;
  const before = asked();
  await during(
    /unread$/,
    () => change(other, { add_members: ['ana'] }),
    async () => {
      const left = arrival('notification.removed_from_channel');
      await change(path, { remove_members: ['ana'] });
      await left;
    },
  );
  // The second question follows the answer to the first.
  await until(() => asked() === before + 2 && threads.unread.get() === 0, 'the thread to go');
  const late = arrival('notification.thread_message_new');
  gate.resolve();
  await late;
  // The answer to the question that it leads to comes before this one.
  for (let turn = 0; turn < 3; turn += 1) await client.reads.unread();

  expect(threads.unread.get()).toBe(0);
  await client.disconnect();
});

test.each(['truncate', 'clear', 'erase'])(
  'S11 threads that go with their messages leave the badge: %s',
  async (how) => {
    const { client, threads, parent, path, ana } = await observe();
    const cy = await chat.as('cy');
    if (how === 'truncate') await cy.call('POST /channels/{type}/{id}/truncate', { path, body: {} });
    if (how === 'clear')
      await ana.call('POST /channels/{type}/{id}/hide', { path, body: { clear_history: true } });
    if (how === 'erase')
      await ana.call('DELETE /messages/{id}', { path: { id: parent }, query: { hard: 'true' } });

    await until(() => threads.unread.get() === 0, 'the badge');
    expect((await ana.call('GET /unread')).threads).toEqual([]);
    await client.disconnect();
  },
);

test('S11 the threads of an earlier membership count again, and leaving many is one question', async () => {
  const { client, calls, threads, cid, path } = await observe();
  for (const text of ['a', 'b', 'c']) {
    const parent_id = (await chat.admin.messages.send(cid, 'ana', { text })).id;
    await chat.admin.messages.send(cid, 'bo', { text, parent_id });
  }
  await until(() => threads.unread.get() === 4, 'the threads');
  const cy = await chat.as('cy');
  const change = (body: object) => cy.call('POST /channels/{type}/{id}', { path, body });
  const from = calls.length;
  let left = 0;
  client.on('notification.mark_read', () => left++);
  await change({ remove_members: ['ana'] });
  await until(() => left === 4 && threads.unread.get() === 0, 'the threads to go');
  expect(calls.slice(from).filter((call) => call.endsWith('/unread'))).toHaveLength(1);
  await client.disconnect();

  const { client: next } = await connectHolding(chat, 'ana');
  const { unread } = next.feature(threadsFeature);
  await pause(300);
  expect(unread.get()).toBe(0);
  await change({ add_members: ['ana'] });
  await until(() => unread.get() === 4, 'the threads to count again');
  await change({ remove_members: ['ana'] });
  await next.disconnect();
});
