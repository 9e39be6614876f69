import { uploads as uploadsFeature } from '@parley/client/attachments';
import { drafts as draftsFeature } from '@parley/client/drafts';
import { polls as pollsFeature } from '@parley/client/polls';
import { reminders as remindersFeature } from '@parley/client/reminders';
import { threads as threadsFeature } from '@parley/client/threads';
import { createTestChat, type TestChat, type TestClient, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createThreadsOf } from './thread-support.ts';

let chat: TestChat;
let ana: TestClient;
const cid = 'messaging:calls';
const path = { type: 'messaging', id: 'calls' };

beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
  await chat.admin.channels.create('messaging', 'calls', { created_by_id: 'ana', members: ['ana', 'bo'] });
  ana = await chat.connect('ana');
  await ana.client.channels.open('messaging', 'calls');
});
afterAll(() => chat.stop());

test('M3 a raw query of a channel gives ten messages where no limit is named', async () => {
  for (let index = 0; index < 12; index += 1)
    await chat.admin.messages.send(cid, 'bo', { text: `m${index}` });
  const caller = await chat.as('ana');

  const one = await caller.call('POST /channels/{type}/{id}/query', { path, body: { state: true } });
  const { channels } = await caller.call('POST /channels', { body: { filter: { cid }, state: true } });

  expect([one.messages.length, channels[0]?.messages.length]).toEqual([10, 10]);
  expect(one.messages.at(-1)?.text).toBe('m11');
});

test('M6 the inbox of threads comes ten at a time', async () => {
  await createThreadsOf(chat, cid, 12);
  const threads = ana.client.feature(threadsFeature);

  await threads.load();
  expect(threads.list.get()).toMatchObject({ status: 'ready', hasMore: true });
  expect(threads.list.get().threads).toHaveLength(10);
  await threads.loadMore();

  expect(threads.list.get()).toMatchObject({ hasMore: false });
  expect(threads.list.get().threads).toHaveLength(12);
});

test('P2 votes come ten at a time, and the server reads and casts them for a user', async () => {
  const ids = Array.from({ length: 12 }, (_, index) => `voter-${index}`);
  await chat.admin.users.upsert(ids.map((id) => ({ id })));
  await chat.admin.channels.addMembers(cid, ids);
  const { polls } = chat.admin;
  const poll = await polls.create({ name: 'Which?', options: [{ id: 'a', text: 'A' }] }, 'ana');
  const { id: messageId } = await chat.admin.messages.send(cid, 'ana', { poll_id: poll.id });
  const place = { messageId, pollId: poll.id };
  for (const userId of ids) await polls.vote({ ...place, userId }, { option_id: 'a' });

  const first = await ana.client.feature(pollsFeature).votes(poll.id);
  const rest = await polls.votes(poll.id, { limit: 100 });

  expect([first.votes.length, first.next !== undefined, rest.votes.length]).toEqual([10, true, 12]);
  const own = rest.votes.find(({ user_id }) => user_id === 'voter-3');
  await polls.unvote({ ...place, userId: 'voter-3' }, own?.id ?? '');
  expect((await polls.get(poll.id)).vote_count).toBe(11);
});

test('P1 the server changes, closes, finds and deletes polls', async () => {
  const { polls } = chat.admin;
  const made = await polls.create({ name: 'Old', options: [{ id: 'a', text: 'A' }] }, 'ana');

  const option = await polls.options.add(made.id, 'B', 'ana');
  await polls.options.update(made.id, { ...option, text: 'Bee' }, 'ana');
  expect((await polls.options.get(made.id, option.id, 'ana')).text).toBe('Bee');
  await polls.options.delete(made.id, option.id, 'ana');
  await polls.patch(made.id, { name: 'New' }, [], 'ana');
  const closed = await polls.close(made.id, 'ana');
  const found = await polls.query({ filter: { id: made.id } }, 'ana');

  expect(closed).toMatchObject({ name: 'New', is_closed: true, options: [{ id: 'a', text: 'A' }] });
  expect(found.polls.map(({ id }) => id)).toEqual([made.id]);
  await polls.delete(made.id, 'ana');
  await expect(polls.get(made.id, 'ana')).rejects.toMatchObject({ name: 'NotFound' });
});

test.each([
  ['name', { name: ' ', options: [{ text: 'A' }] }, 'Question is required'],
  ['options.1.text', { name: 'Q', options: [{ text: 'A' }, { text: '' }] }, 'Option is empty'],
  ['options.1.text', { name: 'Q', options: [{ text: 'A' }, { text: ' a ' }] }, 'Option already exists'],
  ['max_votes_allowed', { name: 'Q', max_votes_allowed: 11, options: [] }, 'Type a number from 2 to 10'],
])(
  'P3 a poll with a wrong %s is refused before it is sent, and by the server alike',
  async (at, input, text) => {
    let calls = 0;
    ana.faults.onCall((url) => void (url.includes('/polls') && calls++));
    const here = ana.client.feature(pollsFeature).create(input as never);
    await expect(here).rejects.toMatchObject({ name: 'InputInvalid', message: text });
    await expect(here).rejects.toMatchObject({ details: [{ path: at, message: text }] });
    ana.faults.onCall(undefined);

    expect(calls).toBe(0);
    await expect(chat.admin.polls.create(input as never, 'ana')).rejects.toThrow(text);
    const there = await (await chat.as('ana')).refused('POST /polls', { body: input as never });
    expect(there).toMatchObject({ message: text, details: [{ path: at, message: text }] });
  },
);

test('A2 attachments of a product may have a state of their own, and texts that look like addresses', async () => {
  const attachments = [
    { type: 'order', state: 'pending', order: { state: 'uploading' } },
    { type: 'order', text: 'blob: storage explained', title: 'data: Q3.csv' },
  ];

  const sent = await ana.client.messages.send(cid, { text: 'see', attachments });

  expect(sent.attachments).toMatchObject(attachments);
});

test('M4 a rest that throws, or gives a file on its way, fails its message and holds no other', async () => {
  const bad = { attachments: [{ type: 'image', image_url: 'blob:http://h/1' }] };
  const boom = async () => {
    throw new Error('boom');
  };
  const sends = [
    ana.client.messages.send(cid, { text: 'one' }, { rest: boom }),
    ana.client.messages.send(cid, { text: 'two' }, { rest: async () => bad }),
    ana.client.messages.send(cid, { text: 'three' }),
  ];

  await expect(Promise.allSettled(sends)).resolves.toMatchObject([
    { reason: { name: 'InputInvalid', message: 'boom' } },
    { reason: { name: 'InputInvalid', message: 'Wait until all attachments have uploaded' } },
    { value: { text: 'three' } },
  ]);
});

test('A2 a message waits for its uploads: one that carries a file on its way is refused in the words of the spec', async () => {
  const uploads = ana.client.feature(uploadsFeature).create({ cid });
  uploads.add([new File(['x'], 'x.txt', { type: 'text/plain' })]);
  const [item] = uploads.get().items;

  for (const attachment of [item, { type: 'image', image_url: 'blob:http://h/1' }])
    await expect(
      ana.client.messages.send(cid, { text: 'see', attachments: [attachment as never] }),
    ).rejects.toMatchObject({
      name: 'InputInvalid',
      message: 'Wait until all attachments have uploaded',
      details: [{ path: 'attachments' }],
    });

  await until(() => uploads.get().items[0]?.state === 'finished', 'the upload');
  const sent = await ana.client.messages.send(cid, { text: 'see', attachments: uploads.take() });
  expect(sent.attachments).toHaveLength(1);
});

test('A3 an uploaded file is deleted by its URL, and only by who uploaded it', async () => {
  const uploads = ana.client.feature(uploadsFeature).create();
  uploads.add([new File(['y'], 'y.txt', { type: 'text/plain' })]);
  await until(() => uploads.get().items[0]?.state === 'finished', 'the upload');
  const url = uploads.get().items[0]?.upload?.file ?? '';
  const { client: bo } = await chat.connect('bo');

  await expect(bo.feature(uploadsFeature).deleteFile(url)).rejects.toMatchObject({
    status: expect.any(Number),
  });
  await ana.client.feature(uploadsFeature).deleteFile(url);

  // The call comes once more, as after an answer that was lost: what is not there is deleted.
  await ana.client.feature(uploadsFeature).deleteFile(url);
  await ana.client.feature(uploadsFeature).deleteImage(url);
  await expect(ana.client.http.call('DELETE /uploads/file', { query: { url } })).rejects.toMatchObject({
    name: 'NotFound',
  });
});

test('M8 drafts are asked for by filter, in an order and page by page', async () => {
  const caller = await chat.as('ana');
  for (const id of ['d1', 'd2', 'd3']) {
    await chat.admin.channels.create('messaging', id, { created_by_id: 'ana', members: ['ana'] });
    const place = { type: 'messaging', id };
    await caller.call('POST /channels/{type}/{id}/draft', { path: place, body: { message: { text: id } } });
  }
  const sort = [{ field: 'created_at', direction: 1 as const }];

  const first = await ana.client.feature(draftsFeature).query({ sort, limit: 2 });
  const second = await ana.client.feature(draftsFeature).query({ sort, limit: 2, next: first.next });
  const one = await ana.client.feature(draftsFeature).query({ filter: { cid: 'messaging:d2' } });

  expect([...first.drafts, ...second.drafts].map((draft) => draft.message.text)).toEqual(['d1', 'd2', 'd3']);
  expect(one.drafts.map((draft) => draft.cid)).toEqual(['messaging:d2']);
  await expect(ana.client.feature(draftsFeature).query({ filter: { txet: 'd1' } })).rejects.toThrow('txet');
});

test('P4 reminders are asked for by filter, in an order and page by page', async () => {
  const caller = await chat.as('ana');
  for (let index = 1; index <= 3; index += 1) {
    const { id } = await chat.admin.messages.send(cid, 'bo', { text: `r${index}` });
    const remind_at = new Date(Date.now() + index * 3_600_000).toISOString();
    const body = { remind_at, note: `n${index}` };
    await caller.call('POST /messages/{id}/reminders', { path: { id }, body });
  }
  const sort = [{ field: 'remind_at', direction: -1 as const }];

  const first = await ana.client.feature(remindersFeature).query({ sort, limit: 2 });
  const second = await ana.client.feature(remindersFeature).query({ sort, limit: 2, next: first.next });
  const one = await ana.client.feature(remindersFeature).query({ filter: { note: 'n2' } });

  expect([...first.reminders, ...second.reminders].map(({ note }) => note)).toEqual(['n3', 'n2', 'n1']);
  expect(one.reminders.map(({ note }) => note)).toEqual(['n2']);
});

test('M12 the server keeps a message back and commits it', async () => {
  const { id, pending } = await chat.admin.messages.send(cid, 'ana', { text: 'later' }, { pending: true });
  const before = await (await chat.as('bo')).refused('GET /messages/{id}', { path: { id } });

  const published = await chat.admin.messages.commit(id);

  expect([pending, before.status, published.pending]).toEqual([true, 404, undefined]);
  expect((await chat.admin.messages.get(id)).text).toBe('later');
});

test('M14 the server deletes many channels and follows the task', async () => {
  for (const id of ['t1', 't2']) await chat.admin.channels.create('messaging', id, { created_by_id: 'ana' });
  const cids = ['messaging:t1', 'messaging:t2'];
  const { tasks } = chat.admin;

  const id = await chat.admin.channels.deleteMany(cids, { hard: true });
  const task = await tasks.wait(id, { everyMs: 20 });

  expect(task).toMatchObject({ task_id: id, status: 'completed' });
  expect((await tasks.get(id)).result).toEqual({
    channels: { 'messaging:t1': 'deleted', 'messaging:t2': 'deleted' },
  });
});
