import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
});
afterAll(() => chat.stop());

test('M2 a change with a message that is refused changes nothing', async () => {
  await chat.admin.channels.create('messaging', 'add', { created_by_id: 'ana', members: ['ana'] });
  const ana = await chat.as('ana');
  const path = { type: 'messaging', id: 'add' };

  await ana.refused('POST /channels/{type}/{id}', {
    path,
    body: { add_members: ['bo'], message: { text: '' } },
  });

  const { members } = await ana.call('POST /members/query', { body: path });
  expect(members.map(({ user_id }) => user_id)).toEqual(['ana']);
});

test('M14 a truncate with a message that is refused drops nothing', async () => {
  await chat.admin.channels.create('messaging', 'cut', { created_by_id: 'ana', members: ['ana'] });
  await chat.admin.messages.send('messaging:cut', 'ana', { id: 'kept', text: 'kept' });
  const ana = await chat.as('ana');
  const path = { type: 'messaging', id: 'cut' };

  await ana.refused('POST /channels/{type}/{id}/truncate', { path, body: { message: { text: '' } } });

  expect((await chat.admin.messages.get('kept')).text).toBe('kept');
});

test('C2 an anonymous visitor is not the user whose id is "anonymous"', async () => {
  await chat.admin.users.upsert([{ id: 'anonymous' }]);
  await chat.admin.channels.create('livestream', 'show', {
    created_by_id: 'ana',
    members: ['ana', 'anonymous'],
  });
  const { client } = chat.createTestClient();
  await client.connectAnonymous();

  const cid = await client.channels.open('livestream', 'show');

  expect(client.channels.state(cid).get()?.membership).toBeUndefined();
  expect([...(client.channels.state(cid).get()?.capabilities ?? [])]).not.toContain('send-message');
});

test('C11 a token made right after a revocation "until now" is good', async () => {
  await chat.admin.revokeUserToken('cy', new Date());
  const raw = await chat.as('cy');

  await raw.call('GET /unread');
});
