import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

type Asked = { url: string; method: string; credentials: RequestCredentials | undefined };

const spyFetch = (asked: Asked[]) => (url: string, init: RequestInit) => {
  asked.push({ url, method: init.method ?? 'GET', credentials: init.credentials });
  return fetch(url, init);
};

test('C10 withCredentials is off, and sends cookies when on', async () => {
  const asked: Asked[] = [];
  const environment = { fetch: spyFetch(asked) };
  const off = await chat.connect('ana', { environment });
  const on = await chat.connect('bo', { environment, withCredentials: true });

  await off.client.users.query();
  await on.client.users.query();

  expect(asked.map(({ credentials }) => credentials)).toEqual(['same-origin', 'include']);
});

test('C10 warmUp is off, and opens the way to the server when on', async () => {
  const asked: Asked[] = [];
  const environment = { fetch: spyFetch(asked) };

  await chat.connect('ana', { environment });
  expect(asked).toEqual([]);

  await chat.connect('bo', { environment, warmUp: true });
  expect(asked).toMatchObject([{ url: `${chat.url}/healthz`, method: 'HEAD' }]);
});

test('a test client waits longer for an answer than the product, since its server may share the process with a busy test', async () => {
  const { client, faults } = await chat.connect('ana');
  faults.onCall(() => ({ delayMs: 3300 }));

  expect(await client.users.query()).toBeDefined();
});

test('C10 disableCache is off: a live channel is not asked for again; when on it is', async () => {
  const asked: Asked[] = [];
  const environment = { fetch: spyFetch(asked) };
  const cached = await chat.connect('ana', { environment });
  await cached.client.channels.open('messaging', 'cached', { members: ['bo'] });
  await cached.client.channels.open('messaging', 'cached');
  expect(asked).toHaveLength(1);

  const bare = await chat.connect('bo', { environment, disableCache: true });
  await bare.client.channels.open('messaging', 'cached');
  await bare.client.channels.open('messaging', 'cached');
  expect(asked).toHaveLength(3);
});

test('C10 the key and the request id go along with each call, the token never in a URL', async () => {
  const asked: Asked[] = [];
  const { client } = await chat.connect('ana', { environment: { fetch: spyFetch(asked) } });
  const token = await chat.token('ana');

  await client.channels.open('messaging', 'quiet', { members: ['bo'] });
  await client.messages.send('messaging:quiet', { text: 'x' });

  expect(asked.length).toBeGreaterThan(1);
  for (const { url } of asked) expect(url).not.toContain(token.split('.')[2]);
});

test('C10 x-request-id answers with the id the caller sent', async () => {
  const raw = await chat.as('ana');

  const given = await raw.raw('GET', '/unread', { headers: { 'x-client-request-id': 'mine-1' } });
  const made = await raw.raw('GET', '/unread');
  const odd = await raw.raw('GET', '/nowhere', { headers: { 'x-client-request-id': 'bad id!' } });

  expect(given.headers.get('x-request-id')).toBe('mine-1');
  expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(odd.headers.get('x-request-id')).toBe((odd.body as { request_id: string }).request_id);
});
