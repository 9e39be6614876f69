import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'], config: { rateLimits: true } });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

const sendMany = async (user: string | undefined, count: number) => {
  const raw = await chat.as(user);
  const body = JSON.stringify({ message: { text: 'x', ...(user ? {} : { user_id: 'ana' }) } });
  const replies = [];
  for (let done = 0; done < count; done += 25)
    replies.push(
      ...(await Promise.all(
        Array.from({ length: 25 }, () => raw.raw('POST', '/channels/messaging/room/message', { body })),
      )),
    );
  return replies;
};

test('protocol 1 limited routes name the budget in headers; past it they answer 429 with retry-after', async () => {
  const replies = await sendMany('ana', 325);
  const good = replies.filter(({ status }) => status === 201);
  const limited = replies.filter(({ status }) => status === 429);

  expect(good.length + limited.length).toBe(325);
  expect(good.length).toBe(300);
  const headers = good[0]?.headers;
  expect(Number(headers?.get('ratelimit-limit'))).toBe(300);
  expect(Number(headers?.get('ratelimit-remaining'))).toBeLessThan(300);
  expect(Number(headers?.get('ratelimit-reset'))).toBeGreaterThan(0);
  expect(limited[0]?.body).toMatchObject({ code: 9, name: 'RateLimited', status: 429 });
  expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(limited[0]?.headers.get('ratelimit-remaining')).toBe('0');
});

test('protocol 1 the budget of one user and of one kind is not that of another', async () => {
  const ana = await chat.as('ana');
  const bo = await chat.as('bo');
  const path = { type: 'messaging', id: 'room' };

  await ana.call('GET /unread');
  await bo.call('POST /channels/{type}/{id}/message', { path, body: { message: { text: 'mine' } } });
});

test('protocol 1 a server with the secret is not limited', async () => {
  const replies = await sendMany(undefined, 325);

  expect(replies.every(({ status }) => status === 201)).toBe(true);
});

test('protocol 1 creating guests is limited by address', async () => {
  const raw = await chat.as('bo');
  const body = JSON.stringify({ user: { id: 'visitor' } });

  const replies = await Promise.all(Array.from({ length: 70 }, () => raw.raw('POST', '/guest', { body })));

  expect(replies.filter(({ status }) => status === 201)).toHaveLength(60);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(10);
});

test('protocol 1 a call that is not valid counts, and past the budget its body is not read', async () => {
  const cy = await chat.as('cy');
  const body = JSON.stringify({ message: { text: 7 } });
  const path = '/channels/messaging/room/message';

  const replies = await Promise.all(Array.from({ length: 310 }, () => cy.raw('POST', path, { body })));

  expect(replies.filter(({ status }) => status === 400)).toHaveLength(300);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(10);
});

test('C9 a limited call reaches the caller as RateLimited', async () => {
  const { client } = await chat.connect('ana');

  await expect(
    client.http.call('POST /channels/{type}/{id}/message', {
      path: { type: 'messaging', id: 'room' },
      body: { message: { text: 'x' } },
    }),
  ).rejects.toMatchObject({ name: 'RateLimited', code: 9, retryable: true });
});

test('protocol 1 health is never limited', async () => {
  const replies = await Promise.all(Array.from({ length: 50 }, () => fetch(`${chat.url}/healthz`)));
  expect(replies.every(({ status, headers }) => status === 200 && !headers.has('ratelimit-limit'))).toBe(
    true,
  );
});
