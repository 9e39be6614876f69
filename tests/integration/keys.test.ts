import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

test('C9 an API key of the same length in other letters is refused', async () => {
  const key = encodeURIComponent('é'.repeat(chat.apiKey.length));
  const headers = { authorization: await chat.token('ana') };

  const reply = await fetch(`${chat.baseUrl}/unread?api_key=${key}`, { headers });

  expect([reply.status, (await reply.json()) as object]).toMatchObject([401, { code: 2 }]);
});

test.each(['+275760-09-13T00:00:00Z', '-000001-01-01T00:00:00Z', '2026-02-30T00:00:00Z'])(
  'C11 %s is no time that can be kept: refused, not a fault',
  async (since) => {
    const server = await chat.as();

    const refusal = await server.refused('PATCH /app', { body: { revoke_tokens_issued_before: since } });

    expect(refusal).toMatchObject({ code: 4, status: 400 });
  },
);

test('C8 the owner of a long-poll connection ends it', async () => {
  const ana = await chat.as('ana');
  const opened = await ana.call('POST /longpoll', { body: { payload: { user_id: 'ana' } } });
  const id = opened.connection_id ?? '';

  await ana.call('DELETE /longpoll', { query: { connection_id: id } });

  expect(await ana.refused('POST /longpoll', { body: { connection_id: id, ack: 0 } })).toMatchObject({
    status: 404,
  });
});
