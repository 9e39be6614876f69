import { pendingMessages } from '@parley/client/messages';
import { type Caller, createTestChat, type TestChat, type TestClient, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const cid = 'messaging:room';
const room = { type: 'messaging', id: 'room' };
let chat: TestChat;
let ana: Caller;
let anaClient: TestClient;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
  const { channels } = chat.admin;
  await channels.create('messaging', 'room', { created_by_id: 'bo', members: ['ana', 'bo'] });
  await channels.create('messaging', 'other', { created_by_id: 'bo', members: ['ana', 'bo'] });
  await channels.create('messaging', 'secret', { created_by_id: 'bo', members: ['bo', 'cy'] });
  ana = await chat.as('ana');
  anaClient = await chat.connect('ana');
  await anaClient.client.channels.open('messaging', 'room');
});
afterAll(() => chat.stop());

const sending = (message: Record<string, unknown>, path = room) => ({
  path,
  body: { message: message as never },
});
const send = async (caller: Caller, message: Record<string, unknown>, path = room) =>
  (await caller.call('POST /channels/{type}/{id}/message', sending(message, path))).message;
const refusal = async (message: Record<string, unknown>, path = room) => {
  const { name, details } = await ana.refused('POST /channels/{type}/{id}/message', sending(message, path));
  return [name, details?.[0]?.path];
};

test.each([
  ['nothing', ''],
  ['spaces', '   \t \n  '],
  ['marks of direction', '\u200f\u202e\u2066\u200b'],
  ['blank letters', '\u3164\u2800\u115f\ufe0f'],
])('M4 a message of %s is refused by its text', async (_what, text) => {
  expect(await refusal({ text })).toEqual(['InputInvalid', 'message.text']);
});

test('M4 a character too many is refused by its text, and 20 000 are stored', async () => {
  expect(await refusal({ text: 'x'.repeat(20_001) })).toEqual(['PayloadTooLarge', 'message.text']);
  expect((await send(ana, { text: 'x'.repeat(20_000) })).text).toHaveLength(20_000);
});

test.each([
  ['combining marks', `z${'\u0335\u0489\u0321'.repeat(2000)}algo`],
  ['overrides of direction', '\u202egpj.exe\u202c and \u2066left\u2069 \u200fright'],
  ['halves of emojis, joined', '👩‍👩‍👧‍👦\u200d🏽'],
  ['markup', '<script>alert(1)</script> & "quotes" \\ \u0001'],
])('M4 %s are stored as they were typed', async (_what, text) => {
  const { id } = await send(ana, { text });

  const { message } = await ana.call('GET /messages/{id}', { path: { id } });

  expect(message.text).toBe(text);
});

test('M4 thousands of mentions are refused by their field, a hundred names in the text are not', async () => {
  const many = Array.from({ length: 5000 }, (_, index) => `u${index}`);
  const refused = await ana.refused(
    'POST /channels/{type}/{id}/message',
    sending({ text: 'all of you', mentioned_users: many }),
  );
  expect(refused).toMatchObject({ name: 'InputInvalid', details: [{ path: 'message.mentioned_users' }] });
  expect(refused.details?.[0]?.message).toContain('100');

  const repeated = await send(ana, { text: '@bo '.repeat(4000), mentioned_users: Array(100).fill('bo') });
  expect(repeated.mentioned_users).toMatchObject([{ id: 'bo' }]);
});

test('M4 someone outside the channel is no one to mention, in a new message and in an edit', async () => {
  const { id } = await send(ana, { text: 'hello' });
  const edit = { path: { id }, body: { message: { text: 'hello @cy', mentioned_users: ['cy'] } } };

  expect(await refusal({ text: '@cy', mentioned_users: ['bo', 'cy'] })).toEqual([
    'InputInvalid',
    'message.mentioned_users.1',
  ]);
  expect(await ana.refused('PUT /messages/{id}', edit)).toMatchObject({
    name: 'InputInvalid',
    details: [{ path: 'message.mentioned_users.0' }],
  });
});

test('M4 quotes: of another channel, of what one may not see, of a pending message, of nothing', async () => {
  const bo = await chat.as('bo');
  const elsewhere = await send(bo, { text: 'over there' }, { type: 'messaging', id: 'other' });
  const secret = await send(bo, { text: 'xyzzy' }, { type: 'messaging', id: 'secret' });
  const boClient = await chat.connect('bo');
  const held = await boClient.client.feature(pendingMessages).send(cid, { text: 'not yet' });

  for (const id of [elsewhere.id, secret.id, held.id, 'no-such-message'])
    expect(await refusal({ text: 'as said', quoted_message_id: id })).toEqual([
      'InputInvalid',
      'message.quoted_message_id',
    ]);
});

test('M4 a thread hangs on a message: not on a reply, not on one of another channel', async () => {
  const bo = await chat.as('bo');
  const parent = await send(ana, { text: 'a question' });
  const reply = await send(bo, { text: 'an answer', parent_id: parent.id });
  const elsewhere = await send(bo, { text: 'over there' }, { type: 'messaging', id: 'other' });

  for (const id of [reply.id, elsewhere.id, 'no-such-message'])
    expect(await refusal({ text: 'more', parent_id: id })).toEqual(['InputInvalid', 'message.parent_id']);
  expect(await refusal({ text: 'more', show_in_channel: true })).toEqual([
    'InputInvalid',
    'message.show_in_channel',
  ]);
});

test('M4 an id that is taken elsewhere, or by another, is refused without any detail of it', async () => {
  const bo = await chat.as('bo');
  const secret = await send(bo, { text: 'xyzzy' }, { type: 'messaging', id: 'secret' });
  const mine = await send(ana, { text: 'mine' }, { type: 'messaging', id: 'other' });

  for (const id of [secret.id, mine.id]) {
    const refused = await ana.refused('POST /channels/{type}/{id}/message', sending({ id, text: 'again' }));
    expect(refused).toMatchObject({ name: 'DuplicateId', details: [{ path: 'message.id' }] });
    expect(JSON.stringify(refused)).not.toMatch(/xyzzy|secret/);
  }
  const { messages } = await ana.call('GET /channels/{type}/{id}/messages', {
    path: room,
    query: { ids: [secret.id, mine.id].join(',') },
  });
  expect(messages).toEqual([]);
});

test('M4 edits that race a delete: each is stored or refused, and everyone ends with the same', async () => {
  const bo = await chat.connect('bo');
  await bo.client.channels.open('messaging', 'room');
  for (let round = 0; round < 8; round++) {
    const { id } = await send(ana, { text: 'first' });
    const path = { id };
    const edits = Array.from({ length: 6 }, (_, n) =>
      ana.call('PUT /messages/{id}', { path, body: { message: { text: `edit ${n}` } } }).then(
        () => 'stored',
        (error: Error) => error.message,
      ),
    );
    const gone = ana.call('DELETE /messages/{id}', { path, query: round % 2 ? { hard: 'true' } : {} });
    const outcomes = await Promise.all(edits);
    await gone;

    for (const outcome of outcomes) expect(outcome).toMatch(/stored|answered (400|404)/);
    const seenBy = ({ client }: TestClient) =>
      client.channels
        .state(cid)
        .get()
        ?.messages.find((message) => message.id === id);
    const isGone = (one: TestClient) =>
      round % 2 ? seenBy(one) === undefined : seenBy(one)?.type === 'deleted' && seenBy(one)?.text === '';
    await until(() => isGone(anaClient) && isGone(bo), 'both to see it gone');
  }
});

test('M4 a message that the server refuses stays with its author as failed, to be sent again or discarded', async () => {
  const { client } = anaClient;
  await chat.admin.channels.patch(cid, { frozen: true });
  const refused = client.messages.send(cid, { id: 'kept', text: 'typed with care' });
  await expect(refused).rejects.toMatchObject({ name: 'NotAllowed' });
  const mine = () =>
    client.channels
      .state(cid)
      .get()
      ?.messages.find(({ id }) => id === 'kept');
  expect(mine()).toMatchObject({ status: 'failed', text: 'typed with care', error: { name: 'NotAllowed' } });

  await chat.admin.channels.patch(cid, { frozen: false });
  await client.messages.retry(cid, 'kept');

  expect(mine()).toMatchObject({ status: 'sent', text: 'typed with care' });
});
