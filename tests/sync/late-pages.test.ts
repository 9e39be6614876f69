/** Pages that come after events which followed them. docs/sync.md, S9. */
import { reminders } from '@parley/client/reminders';
import { threads as threadsFeature } from '@parley/client/threads';
import { createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectHolding } from './held-answers.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

let serial = 0;
/** A channel of Ana and Bo in which Bo has answered messages of Ana's. */
const createThreads = async (count: number) => {
  const id = `late-${++serial}`;
  const path = { type: 'messaging', id };
  const cid = `messaging:${id}`;
  await chat.admin.channels.create('messaging', id, { created_by_id: 'bo', members: ['ana', 'bo'] });
  const parents: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const parent = await chat.admin.messages.send(cid, 'ana', { text: `parent ${index}` });
    await chat.admin.messages.send(cid, 'bo', { text: `reply ${index}`, parent_id: parent.id });
    parents.push(parent.id);
  }
  return { cid, path, parents };
};

const inbox = /\/threads$/;
/** An own client, with the inbox of threads as it shows it and a promise of each change of it. */
const observe = async () => {
  const made = await connectHolding(chat, 'ana');
  return { ...made, threads: made.client.feature(threadsFeature), other: await chat.as('ana') };
};
type Observed = Awaited<ReturnType<typeof observe>>;
const received = (client: Observed['client'], type: 'thread.updated' | 'notification.mark_read') =>
  new Promise((resolve) => client.on(type, resolve));

test('S9 the inbox keeps a reply, a title and a mark that came while its page was on its way', async () => {
  const { cid, path, parents } = await createThreads(3);
  const [first = '', second = '', third = ''] = parents;
  const { client, threads, other, during } = await observe();
  await client.channels.watch(cid);
  await threads.load();
  await during(inbox, threads.load, async () => {
    const all = [received(client, 'thread.updated'), received(client, 'notification.mark_read')];
    await other.call('POST /channels/{type}/{id}/read', { path, body: { thread_id: third } });
    const body = { set: { title: 'Named' } };
    await other.call('PATCH /threads/{message_id}', { path: { message_id: second }, body });
    const replied = new Promise((resolve) => client.on('notification.thread_message_new', resolve));
    await chat.admin.messages.send(cid, 'bo', { text: 'later', parent_id: first });
    await Promise.all([...all, replied]);
  });

  const own = threads.list.get().threads.filter((thread) => thread.cid === cid);
  expect(own.map(({ parent_message_id }) => parent_message_id)).toEqual([first, third, second]);
  expect(own[0]).toMatchObject({ reply_count: 2, read: { unread_messages: 2 } });
  expect(own[0]?.latest_replies.map(({ text }) => text)).toEqual(['reply 0', 'later']);
  expect(own[1]?.read?.unread_messages).toBe(0);
  expect(own[2]?.title).toBe('Named');
  await client.disconnect();
});

test('S9 a next page of the inbox that was read before a mark and a title has both', async () => {
  const { cid, path, parents } = await createThreads(11);
  const [oldest = ''] = parents;
  const { client, threads, other, during } = await observe();
  await client.channels.watch(cid);
  await threads.load();
  await during(inbox, threads.loadMore, async () => {
    const all = [received(client, 'thread.updated'), received(client, 'notification.mark_read')];
    await other.call('POST /channels/{type}/{id}/read', { path, body: { thread_id: oldest } });
    const body = { set: { title: 'Named' } };
    await other.call('PATCH /threads/{message_id}', { path: { message_id: oldest }, body });
    await Promise.all(all);
  });

  const found = threads.list.get().threads.find((thread) => thread.parent_message_id === oldest);
  expect(found).toMatchObject({ title: 'Named', read: { unread_messages: 0 } });
  await client.disconnect();
});

test('S9 a thread that is not in a page from before its reply stays in the inbox', async () => {
  const { cid, parents } = await createThreads(11);
  const [oldest = ''] = parents;
  const { client, threads, during } = await observe();
  await threads.load();
  await threads.loadMore();
  await during(inbox, threads.load, async () => {
    const replied = new Promise((resolve) => client.on('notification.thread_message_new', resolve));
    await chat.admin.messages.send(cid, 'bo', { text: 'again', parent_id: oldest });
    await replied;
  });

  await until(() => threads.list.get().threads[0]?.parent_message_id === oldest, 'the thread at the top');
  expect(threads.list.get().threads[0]).toMatchObject({ reply_count: 2 });
  await client.disconnect();
});

test('S9 replies in threads that are not listed make the inbox ask once more when its page has come', async () => {
  const { cid } = await createThreads(1);
  const { client, threads, calls, during } = await observe();
  await threads.load();
  const pages = () => calls.filter((call) => inbox.test(call)).length;
  const before = pages();
  let replies = 0;
  client.on('notification.thread_message_new', () => ++replies);
  await during(inbox, threads.load, async () => {
    for (const text of ['one', 'two', 'three', 'four']) {
      const { id } = await chat.admin.messages.send(cid, 'ana', { text });
      await chat.admin.messages.send(cid, 'bo', { text: 'a reply', parent_id: id });
    }
    await until(() => replies === 4, 'the replies');
    expect(pages()).toBe(before + 1);
  });
  const listed = () => threads.list.get().threads.map(({ parent_message }) => parent_message.text);
  await until(() => listed()[0] === 'four', 'the threads');

  expect(listed().slice(0, 4)).toEqual(['four', 'three', 'two', 'one']);
  expect(pages()).toBe(before + 2);
  await client.disconnect();
});

test('S24 of many channels that one is added to at once, each question is asked once more when its answer has come', async () => {
  const ids = Array.from({ length: 5 }, () => `late-${++serial}`);
  for (const id of ids)
    await chat.admin.channels.create('messaging', id, { created_by_id: 'bo', members: ['bo'] });
  const { client, threads, calls, during } = await observe();
  const { isLoaded } = client.feature(reminders);
  await threads.load();
  await until(() => isLoaded.get(), 'the reminders');
  await client.reads.unread();
  const from = calls.length;
  const questions = /\/(threads|unread|reminders\/query)$/;
  const asked = () =>
    calls
      .slice(from)
      .filter((call) => questions.test(call))
      .toSorted();
  const once = ['GET /api/unread', 'POST /api/reminders/query', 'POST /api/threads'];
  const bo = await chat.as('bo');
  let added = 0;
  client.on('notification.added_to_channel', () => ++added);
  const add = (id: string) => {
    const path = { type: 'messaging', id };
    return bo.call('POST /channels/{type}/{id}', { path, body: { add_members: ['ana'] } });
  };
  const [first = '', ...others] = ids;
  await during(
    questions,
    () => add(first),
    async () => {
      await until(() => asked().length === 3, 'the questions');
      for (const id of others) await add(id);
      await until(() => added === ids.length, 'the additions');
      expect(asked()).toEqual(once);
    },
  );

  await until(() => asked().length === 6, 'the questions once more');
  await client.reads.unread();
  expect(asked().filter((call) => call !== 'GET /api/unread')).toHaveLength(4);
  await client.disconnect();
});
