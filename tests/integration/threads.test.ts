import { threads as threadsFeature } from '@parley/client/threads';
import { createTestChat, type TestChat, type TestClient, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
let ana: TestClient;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy', 'dee'] });
  ana = await chat.connect('ana');
});
afterAll(() => chat.stop());

let serial = 0;
/** A room of Ana, Bo and Cy with one message by Ana; Dee is outside. */
const makeRoom = async () => {
  const id = `room-${++serial}`;
  const path = { type: 'messaging', id };
  await chat.admin.channels.create('messaging', id, { created_by_id: 'cy', members: ['ana', 'bo', 'cy'] });
  const say = async (user: string, message: Record<string, unknown>) => {
    const caller = await chat.as(user);
    return (await caller.call('POST /channels/{type}/{id}/message', { path, body: { message } })).message.id;
  };
  const parent = await say('ana', { text: 'Where do we eat?' });
  return { path, cid: `messaging:${id}`, say, parent };
};

const threadsOf = async (user: string, cid: string) => {
  const caller = await chat.as(user);
  return (await caller.call('POST /threads', { body: { filter: { cid } } })).threads;
};

test('M6 the inbox lists the threads one wrote in or began, with their own unread', async () => {
  const { cid, parent, say } = await makeRoom();
  await say('bo', { text: 'At the harbour', parent_id: parent });
  await say('bo', { text: 'Or at home', parent_id: parent });

  const [forAna] = await threadsOf('ana', cid);
  const [forBo] = await threadsOf('bo', cid);

  expect(forAna).toMatchObject({
    parent_message_id: parent,
    parent_message: { text: 'Where do we eat?' },
    channel: { cid },
    reply_count: 2,
    read: { unread_messages: 2 },
  });
  expect(forAna?.latest_replies.map(({ text }) => text)).toEqual(['At the harbour', 'Or at home']);
  expect(forAna?.participants.map(({ id }) => id)).toEqual(['bo']);
  expect(forBo?.read?.unread_messages).toBe(0);
  expect(await threadsOf('cy', cid)).toEqual([]);
});

test('M6 reading a thread leaves the channel unread, and notifies the other devices', async () => {
  const { cid, parent, path, say } = await makeRoom();
  await say('bo', { text: 'one', parent_id: parent });
  const received: unknown[] = [];
  const stop = ana.client.on('notification.mark_read', ({ thread_id }) => received.push(thread_id));
  const raw = await chat.as('ana');
  const before = await raw.call('GET /unread');

  await raw.call('POST /channels/{type}/{id}/read', { path, body: { thread_id: parent } });

  const after = await raw.call('GET /unread');
  expect(before.threads).toContainEqual({
    parent_message_id: parent,
    cid,
    unread_count: 1,
    last_number: 1,
    version: 0,
  });
  expect(after.total_unread_threads_count).toBe(before.total_unread_threads_count - 1);
  expect((await threadsOf('ana', cid))[0]?.read?.unread_messages).toBe(0);
  await until(() => received.includes(parent), 'the mark on the other device');
  stop();
});

test('M6 followers are notified of replies wherever they are, and the connection says how many are unread', async () => {
  const { parent, say } = await makeRoom();
  const received: { thread: string; unread: number }[] = [];
  const stop = ana.client.on('notification.thread_message_new', (event) =>
    received.push({ thread: event.thread_id, unread: event.unread_messages }),
  );

  await say('bo', { text: 'one', parent_id: parent });
  await say('cy', { text: 'two', parent_id: parent });

  await until(() => received.length === 2, 'the replies at Ana');
  expect(received).toEqual([
    { thread: parent, unread: 1 },
    { thread: parent, unread: 2 },
  ]);
  const again = await chat.connect('ana');
  expect(again.client.me.get()?.unread_threads).toBeGreaterThan(0);
  stop();
});

test('M6 a silent reply and a deleted thread count for nothing', async () => {
  const { cid, parent, say } = await makeRoom();
  await say('bo', { text: 'psst', parent_id: parent, silent: true });
  expect((await threadsOf('ana', cid))[0]?.read?.unread_messages).toBe(0);

  const raw = await chat.as('ana');
  await raw.call('DELETE /messages/{id}', { path: { id: parent }, query: { hard: 'true' } });

  expect(await threadsOf('ana', cid)).toEqual([]);
});

test('M6 a thread takes a title from the author of its message, and from nobody who may not', async () => {
  const { parent, say } = await makeRoom();
  await say('bo', { text: 'one', parent_id: parent });
  const path = { message_id: parent };
  const [anaCalls, boCalls, deeCalls] = await Promise.all([chat.as('ana'), chat.as('bo'), chat.as('dee')]);

  const body = { set: { title: 'Dinner', mood: 'hungry' } };
  const { thread } = await anaCalls.call('PATCH /threads/{message_id}', { path, body });

  expect(thread).toMatchObject({ title: 'Dinner', mood: 'hungry' });
  expect(await boCalls.refused('PATCH /threads/{message_id}', { path, body })).toMatchObject({
    name: 'NotAllowed',
  });
  expect(await deeCalls.refused('GET /threads/{message_id}', { path })).toMatchObject({ name: 'NotAllowed' });
  const long = { set: { title: 'x'.repeat(257) } };
  expect(await anaCalls.refused('PATCH /threads/{message_id}', { path, body: long })).toMatchObject({
    name: 'InputInvalid',
  });
});

test('M6 a reply has no thread, and a message without replies neither', async () => {
  const { parent, path, say } = await makeRoom();
  const raw = await chat.as('ana');
  const alone = { message_id: parent };
  expect(await raw.refused('GET /threads/{message_id}', { path: alone })).toMatchObject({ name: 'NotFound' });

  const reply = await say('bo', { text: 'one', parent_id: parent });

  const onReply = { path: { message_id: reply } };
  expect(await raw.refused('GET /threads/{message_id}', onReply)).toMatchObject({ name: 'InputInvalid' });
  const body = { thread_id: reply };
  expect(await raw.refused('POST /channels/{type}/{id}/read', { path, body })).toMatchObject({
    name: 'InputInvalid',
  });
});

test('M6 a user who left the channel neither receives the thread nor finds it', async () => {
  const { cid, path, parent, say } = await makeRoom();
  await say('bo', { text: 'one', parent_id: parent });
  const server = await chat.as();
  await server.call('POST /channels/{type}/{id}', {
    path,
    query: { user_id: 'cy' },
    body: { remove_members: ['bo'] },
  });
  const bo = await chat.connect('bo');
  const received: string[] = [];
  bo.client.on('notification.thread_message_new', ({ thread_id }) => received.push(thread_id));

  await say('cy', { text: 'two', parent_id: parent });

  expect(await threadsOf('bo', cid)).toEqual([]);
  expect(received).toEqual([]);
});

test('M6 the threads of a channel that one leaves are gone from the badge and the inbox, and those of others stay', async () => {
  const [left, kept] = [await makeRoom(), await makeRoom()];
  const bo = await chat.connect('bo');
  const threads = bo.client.feature(threadsFeature);
  const before = threads.unread.get();
  for (const { say, parent } of [left, kept]) {
    await say('bo', { text: 'mine', parent_id: parent });
    await say('ana', { text: 'not read', parent_id: parent });
  }
  await threads.load();
  await until(() => threads.unread.get() === before + 2, 'both in the badge');
  const listed = () => threads.list.get().threads.map(({ cid }) => cid);
  expect(listed()).toEqual(expect.arrayContaining([left.cid, kept.cid]));

  await chat.admin.channels.removeMembers(left.cid, ['bo']);

  await until(() => threads.unread.get() === before + 1, 'the badge');
  await until(() => !listed().includes(left.cid), 'the inbox');
  expect(listed()).toContain(kept.cid);
});

test('M6 a user who left the channel receives nothing of a thread whose replies go and come back', async () => {
  const { cid, parent, say } = await makeRoom();
  await say('bo', { text: 'one', parent_id: parent });
  await say('cy', { text: 'two', parent_id: parent });
  await chat.admin.channels.removeMembers(cid, ['bo']);
  await say('ana', { text: 'after Bo left', parent_id: parent });
  const [bo, cy] = [await chat.connect('bo'), await chat.connect('cy')];
  const received: Record<string, unknown[]> = { bo: [], cy: [] };
  for (const [name, { client }] of Object.entries({ bo, cy }))
    client.on('notification.mark_read', ({ thread_id }) => received[name]?.push(thread_id));
  const server = await chat.as();

  const { messages } = await server.call('GET /messages/{id}/replies', { path: { id: parent }, query: {} });
  for (const { id } of messages) await server.call('DELETE /messages/{id}', { path: { id }, query: {} });

  await until(() => received.cy?.includes(parent) === true, 'the end of the thread at Cy');
  // An event of another channel comes after all that Bo would have received of the thread.
  const next = await makeRoom();
  await (await chat.as('bo')).call('POST /channels/{type}/{id}/read', { path: next.path, body: {} });
  await until(() => received.bo?.includes(undefined) === true, 'the mark of another channel at Bo');
  expect(received.bo).toEqual([undefined]);
});

test('M6 replies come 50 a page, both ways', async () => {
  const { parent, say } = await makeRoom();
  for (let index = 1; index <= 55; index++) await say('bo', { text: `r${index}`, parent_id: parent });
  const raw = await chat.as('ana');
  const page = async (query: Record<string, string> = {}) =>
    (await raw.call('GET /messages/{id}/replies', { path: { id: parent }, query })).messages;

  const newest = await page();
  const older = await page({ id_lt: newest[0]?.id ?? '' });
  const newer = await page({ id_gt: older.at(-1)?.id ?? '' });

  expect([newest.length, newest[0]?.text, newest.at(-1)?.text]).toEqual([50, 'r6', 'r55']);
  expect(older.map(({ text }) => text)).toEqual(['r1', 'r2', 'r3', 'r4', 'r5']);
  expect(newer.map(({ id }) => id)).toEqual(newest.map(({ id }) => id));
});

test('M6 in an open channel who answers without having joined is notified of the thread, finds it and reads it', async () => {
  const path = { type: 'livestream', id: `open-${++serial}` };
  const cid = `livestream:${path.id}`;
  await chat.admin.channels.create('livestream', path.id, { created_by_id: 'ana', members: ['ana'] });
  const say = async (user: string, message: Record<string, unknown>) => {
    const caller = await chat.as(user);
    return (await caller.call('POST /channels/{type}/{id}/message', { path, body: { message } })).message.id;
  };
  const parent = await say('ana', { text: 'Where do we eat?' });
  await say('dee', { text: 'At the harbour', parent_id: parent });
  const dee = await chat.connect('dee');
  const received: number[] = [];
  dee.client.on('notification.thread_message_new', ({ unread_messages }) => received.push(unread_messages));

  await say('ana', { text: 'Good', parent_id: parent });

  await until(() => received.length === 1, 'the reply at Dee');
  expect(received).toEqual([1]);
  const raw = await chat.as('dee');
  expect((await raw.call('GET /unread')).threads).toEqual([
    {
      ...{ parent_message_id: parent, cid, unread_count: 1, last_read: expect.any(String) },
      ...{ last_number: 2, version: 1 },
    },
  ]);
  expect((await threadsOf('dee', cid))[0]?.read?.unread_messages).toBe(1);
  await raw.call('POST /channels/{type}/{id}/read', { path, body: { thread_id: parent } });
  expect((await raw.call('GET /unread')).threads).toEqual([]);
});

test('M6 an unread thread whose only reply was deleted is in no count, as it is in no inbox', async () => {
  const { cid, parent, say } = await makeRoom();
  const reply = await say('bo', { text: 'never mind', parent_id: parent });
  const [raw, bo] = [await chat.as('ana'), await chat.as('bo')];
  const before = (await raw.call('GET /unread')).total_unread_threads_count;
  await bo.call('DELETE /messages/{id}', { path: { id: reply } });

  expect(await threadsOf('ana', cid)).toEqual([]);
  expect((await raw.call('GET /unread')).total_unread_threads_count).toBe(before - 1);
});

test('M6 a restored reply makes its thread unread again, and the badge shows it', async () => {
  const { parent, say } = await makeRoom();
  const { client } = await chat.connect('ana');
  const before = client.me.get()?.unread_threads ?? 0;
  const reply = await say('bo', { text: 'never mind', parent_id: parent });
  const bo = await chat.as('bo');
  const badge = (more: number) =>
    until(() => client.me.get()?.unread_threads === before + more, `${more} more`);
  await badge(1);
  await bo.call('DELETE /messages/{id}', { path: { id: reply } });
  await badge(0);

  await bo.call('POST /messages/{id}/undelete', { path: { id: reply } });

  await badge(1);
});

test('M6 a thread that is opened while replies arrive shows those of before and those that came', async () => {
  const { cid, path, parent, say } = await makeRoom();
  for (const text of ['one', 'two', 'three']) await say('bo', { text, parent_id: parent });
  const { client, faults } = await chat.connect('cy');
  await client.channels.open('messaging', path.id);
  const texts = () =>
    client.channels
      .state(cid)
      .get()
      ?.threads[parent]?.messages.map(({ text }) => text);
  // The page is read first, a reply arrives next, and the page last.
  let isRead = false;
  faults.onCall((url) => {
    if (!url.includes('/replies')) return undefined;
    isRead = true;
    return { delayMs: 400 };
  });

  const opening = client.messages.replies.open(cid, parent);
  await until(() => isRead, 'the question');
  await say('bo', { text: 'four', parent_id: parent });
  await opening;
  await say('bo', { text: 'five', parent_id: parent });

  await until(() => texts()?.includes('five'), 'the last reply');
  expect(texts()).toEqual(['one', 'two', 'three', 'four', 'five']);
});
