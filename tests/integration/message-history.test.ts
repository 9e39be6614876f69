import { messageHistory } from '@parley/client/messages';
import { type Caller, createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
let ana: Caller;
let bo: Caller;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy', 'eve'] });
  await chat.admin.channels.create('messaging', 'room', {
    created_by_id: 'cy',
    members: ['ana', 'bo', 'cy'],
  });
  await chat.admin.channels.update('messaging:room', { add_moderators: ['cy'] });
  [ana, bo] = await Promise.all([chat.as('ana'), chat.as('bo')]);
});
afterAll(() => chat.stop());

const path = { type: 'messaging', id: 'room' };
const sendEdited = async (...texts: string[]): Promise<string> => {
  const [text = '', ...edits] = texts;
  const { message } = await ana.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text } },
  });
  for (const edit of edits)
    await ana.call('PUT /messages/{id}', { path: { id: message.id }, body: { message: { text: edit } } });
  return message.id;
};
const asked = (id: string, more: Record<string, unknown> = {}) => ({
  body: { filter: { message_id: id }, ...more },
});

test('M12 the author reads what a message said before each edit, newest first, page by page', async () => {
  const id = await sendEdited('one', 'two', 'three', 'four');

  const first = await ana.call('POST /messages/history', asked(id, { limit: 2 }));
  const second = await ana.call('POST /messages/history', asked(id, { limit: 2, next: first.next }));

  expect([...first.message_history, ...second.message_history].map(({ text }) => text)).toEqual([
    'three',
    'two',
    'one',
  ]);
  expect(first.message_history[0]).toMatchObject({ message_id: id, message_updated_by: { id: 'ana' } });
  expect(second).not.toHaveProperty('next');
});

test('M12 an edit that changes nothing and a pin leave no version; custom data is kept with it', async () => {
  const id = await sendEdited('same', 'same');
  await ana.call('PATCH /messages/{id}', { path: { id }, body: { set: { mood: 'calm' } } });
  await ana.call('PATCH /messages/{id}', { path: { id }, body: { set: { pinned: true } } });
  await ana.call('PATCH /messages/{id}', { path: { id }, body: { set: { mood: 'wild' } } });

  const { message_history } = await ana.call('POST /messages/history', asked(id));

  expect(message_history).toHaveLength(2);
  expect(message_history[0]).toMatchObject({ text: 'same', mood: 'calm' });
});

test('M12 a moderator reads it too; others, strangers and a filter without a message are refused', async () => {
  const id = await sendEdited('secret slip', 'fine');
  const { client } = await chat.connect('cy');
  const eve = await chat.as('eve');

  expect((await client.feature(messageHistory).query(id)).versions.map(({ text }) => text)).toEqual([
    'secret slip',
  ]);
  expect(await bo.refused('POST /messages/history', asked(id))).toMatchObject({
    name: 'NotAllowed',
    message: expect.stringContaining('read-message-history'),
  });
  expect(await eve.refused('POST /messages/history', asked(id))).toMatchObject({ name: 'NotAllowed' });
  for (const filter of [{}, { message_id: { $in: [id] } }, { message_id: id, color: 'red' }])
    expect(await ana.refused('POST /messages/history', { body: { filter } })).toMatchObject({
      name: 'InputInvalid',
    });
});

test('M12 a deleted message keeps nothing of what it said before', async () => {
  const soft = await sendEdited('slip', 'fine');
  const hard = await sendEdited('slip', 'fine');
  await ana.call('DELETE /messages/{id}', { path: { id: soft } });
  await ana.call('DELETE /messages/{id}', { path: { id: hard }, query: { hard: 'true' } });

  for (const id of [soft, hard])
    expect(await ana.refused('POST /messages/history', asked(id))).toMatchObject({ name: 'NotFound' });
  await ana.call('POST /messages/{id}/undelete', { path: { id: soft }, body: {} });
  expect((await ana.call('POST /messages/history', asked(soft))).message_history).toHaveLength(1);
});

test('M12 edits at once leave one version each', async () => {
  const id = await sendEdited('start');
  const edits = ['a', 'b', 'c', 'd'].map((text) =>
    ana.call('PUT /messages/{id}', { path: { id }, body: { message: { text } } }),
  );
  await Promise.all(edits);

  const { message_history } = await ana.call('POST /messages/history', asked(id));
  const { message } = await ana.call('GET /messages/{id}', { path: { id } });

  const seen = [...message_history.map(({ text }) => text), message.text];
  expect(seen.sort()).toEqual(['a', 'b', 'c', 'd', 'start']);
});
