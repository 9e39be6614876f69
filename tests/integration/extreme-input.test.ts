import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
});
afterAll(() => chat.stop());
const path = { type: 'messaging', id: 'room' };

test.each([
  '0000-01-01T00:00:00Z',
  '2026-12-31T23:59:60Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T00:00:00+23:59',
  '2026-01-01t00:00:00z',
  '9999-12-31T23:59:59.999-12:00',
])('protocol 1 created_at_around %s is never a fault', async (created_at_around) => {
  const ana = await chat.as('ana');
  const reply = await ana.raw('POST', '/channels/messaging/room/query', {
    body: JSON.stringify({ messages: { created_at_around } }),
  });
  expect(reply.status).toBeLessThan(500);
});

test('protocol 3 a patch of a text that is too long is 413, too', async () => {
  const ana = await chat.as('ana');
  const { message } = await ana.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'x' } },
  });
  const refusal = await ana.refused('PATCH /messages/{id}', {
    path: { id: message.id },
    body: { set: { text: 'x'.repeat(20_001) } },
  });
  expect(refusal).toMatchObject({ status: 413, code: 22 });
});
