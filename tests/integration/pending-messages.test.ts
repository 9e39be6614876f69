import { pendingMessages } from '@parley/client/messages';
import { type Caller, createTestChat, type TestChat, type TestClient, until } from '@parley/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

let chat: TestChat;
let ana: Caller;
let bo: Caller;
let boClient: TestClient;
let received: string[];
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
  await chat.admin.channels.create('messaging', 'room', {
    created_by_id: 'cy',
    members: ['ana', 'bo', 'cy'],
  });
  [ana, bo] = await Promise.all([chat.as('ana'), chat.as('bo')]);
  boClient = await chat.connect('bo');
  await boClient.client.channels.open('messaging', 'room');
  boClient.client.on('all', (event) => received.push(JSON.stringify(event)));
});
beforeEach(() => {
  received = [];
});
afterAll(() => chat.stop());

const path = { type: 'messaging', id: 'room' };
const cid = 'messaging:room';
const hold = async (message: Record<string, unknown>) => {
  const body = { message, pending: true };
  return (await ana.call('POST /channels/{type}/{id}/message', { path, body })).message;
};
const stateFor = (caller: Caller) =>
  caller.call('POST /channels/{type}/{id}/query', { path, body: { state: true } });

test('M12 a pending message is seen by its author alone, and its commit publishes it', async () => {
  const before = await stateFor(bo);
  const held = await hold({ id: 'p-1', text: 'not yet xyzzy' });

  expect(held).toMatchObject({ id: 'p-1', pending: true, number: 0 });
  expect((await stateFor(ana)).pending_messages).toMatchObject([{ id: 'p-1', pending: true }]);
  const during = await stateFor(bo);
  expect(during).toMatchObject({ seq: before.seq, last_number: before.last_number });
  expect(JSON.stringify(during)).not.toContain('xyzzy');

  const { message } = await ana.call('POST /messages/{id}/commit', { path: { id: 'p-1' }, body: {} });

  expect(message).toMatchObject({ id: 'p-1', number: before.last_number + 1 });
  expect(message).not.toHaveProperty('pending');
  await until(
    () => received.some((json) => json.includes('message.new') && json.includes('xyzzy')),
    'the event',
  );
  expect(await stateFor(ana)).not.toHaveProperty('pending_messages');
});

test('M12 nothing of a pending message reaches others', async () => {
  await hold({ id: 'p-2', text: 'plugh' });
  const id = { path: { id: 'p-2' } };
  const refusals = [
    await bo.refused('GET /messages/{id}', id),
    await bo.refused('PUT /messages/{id}', { ...id, body: { message: { text: 'x' } } }),
    await bo.refused('PATCH /messages/{id}', { ...id, body: { set: { pinned: true } } }),
    await bo.refused('DELETE /messages/{id}', id),
    await bo.refused('POST /messages/{id}/commit', { ...id, body: {} }),
    await bo.refused('POST /messages/{id}/reaction', { ...id, body: { reaction: { type: 'like' } } }),
    await bo.refused('GET /messages/{id}/replies', id),
    await bo.refused('POST /messages/history', { body: { filter: { message_id: 'p-2' } } }),
  ];
  const quoting = { text: 'q', quoted_message_id: 'p-2' };
  const quote = await bo.refused('POST /channels/{type}/{id}/message', { path, body: { message: quoting } });
  const reply = await bo.refused('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'r', parent_id: 'p-2' } },
  });
  const listed = await bo.call('GET /channels/{type}/{id}/messages', { path, query: { ids: 'p-2' } });

  expect(new Set(refusals.map(({ name }) => name))).toEqual(new Set(['NotFound']));
  expect([quote.name, reply.name]).toEqual(['InputInvalid', 'InputInvalid']);
  expect(listed.messages).toEqual([]);
  expect(received.join()).not.toContain('plugh');
});

test('M12 the server commits for the author; a commit again gives the same message, once', async () => {
  await hold({ id: 'p-3', text: 'by the server' });
  const server = await chat.as();

  await server.call('POST /messages/{id}/commit', { path: { id: 'p-3' }, body: {} });
  const again = await ana.call('POST /messages/{id}/commit', { path: { id: 'p-3' }, body: {} });
  const held = await hold({ id: 'p-3', text: 'by the server' });

  expect(again.message).toMatchObject({ id: 'p-3', user: { id: 'ana' } });
  expect(held).not.toHaveProperty('pending');
  const news = () => received.filter((json) => json.includes('"message.new"') && json.includes('p-3'));
  await until(() => news().length > 0, 'the event');
  expect(news()).toHaveLength(1);
});

test('M12 commits at once publish once', async () => {
  await hold({ id: 'p-4', text: 'twice' });
  const commit = () => ana.call('POST /messages/{id}/commit', { path: { id: 'p-4' }, body: {} });

  const replies = await Promise.all([commit(), commit(), commit()]);

  expect(new Set(replies.map(({ message }) => message.number)).size).toBe(1);
});

test("M12 refused: another's id, empty text, no permission, and a commit of what anyone else published", async () => {
  const sent = await bo.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'mine' } },
  });
  const held = await hold({ id: 'p-5', text: 'mine' });
  const put = (caller: Caller, message: Record<string, unknown>) =>
    caller.refused('POST /channels/{type}/{id}/message', { path, body: { message, pending: true } });
  await chat.admin.users.upsert([{ id: 'eve' }]);

  expect(await put(ana, { id: sent.message.id, text: 'x' })).toMatchObject({ name: 'DuplicateId' });
  expect(await put(bo, { id: held.id, text: 'x' })).toMatchObject({ name: 'DuplicateId' });
  expect(await put(ana, { text: '   ' })).toMatchObject({ name: 'InputInvalid' });
  expect(await put(await chat.as('eve'), { text: 'x' })).toMatchObject({ name: 'NotAllowed' });
  const commit = { path: { id: sent.message.id }, body: {} };
  expect(await ana.refused('POST /messages/{id}/commit', commit)).toMatchObject({ name: 'NotAllowed' });
});

test('M12 the id of a pending message is reserved for its author and its channel, whichever way another sends', async () => {
  const held = await hold({ id: 'p-reserved', text: 'kept back' });
  await chat.admin.channels.create('messaging', 'beside', {
    created_by_id: 'cy',
    members: ['ana', 'bo'],
  });
  const root = await bo.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'r' } },
  });
  const taken = (caller: Caller, message: Record<string, unknown>, id = 'room') =>
    caller.refused('POST /channels/{type}/{id}/message', {
      path: { type: 'messaging', id },
      body: { message: { id: held.id, text: 'mine now', ...message } },
    });
  const refused = { name: 'DuplicateId', details: [{ path: 'message.id' }] };

  expect(await taken(bo, {})).toMatchObject(refused);
  // Sends at once share a commit.
  for (const refusal of await Promise.all([taken(bo, {}), taken(bo, {}), taken(bo, {})]))
    expect(refusal).toMatchObject(refused);
  expect(await taken(bo, { parent_id: root.message.id })).toMatchObject(refused);
  expect(await taken(ana, {}, 'beside')).toMatchObject(refused);

  const { message } = await ana.call('POST /messages/{id}/commit', { path: { id: held.id }, body: {} });
  expect(message).toMatchObject({ id: held.id, text: 'kept back', user: { id: 'ana' } });
});

test('M12 the rules of the moment of the commit decide, and a pending message can be dropped', async () => {
  await hold({ id: 'p-6', text: 'too late' });
  await chat.admin.channels.patch(cid, { frozen: true });

  const refusal = await ana.refused('POST /messages/{id}/commit', { path: { id: 'p-6' }, body: {} });
  await chat.admin.channels.patch(cid, { frozen: false });
  await ana.call('DELETE /messages/{id}', { path: { id: 'p-6' } });

  expect(refusal.name).toBe('NotAllowed');
  expect(await ana.refused('GET /messages/{id}', { path: { id: 'p-6' } })).toMatchObject({
    name: 'NotFound',
  });
});

test('M12 the SDK sends, lists and commits', async () => {
  const { client } = await chat.connect('ana');
  const pending = client.feature(pendingMessages);

  const held = await pending.send(cid, { text: 'from the SDK' });
  expect((await pending.list(cid)).map(({ id }) => id)).toContain(held.id);

  expect(await pending.commit(held.id)).toMatchObject({ id: held.id, text: 'from the SDK' });
  expect((await pending.list(cid)).map(({ id }) => id)).not.toContain(held.id);
});
