import { type CallKey, type CallSpec, callMethod, callPath, calls, type ErrorBody } from '@parley/protocol';
import { createTestChat, signToken, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana'], config: { demo: false } });
});
afterAll(() => chat.stop());

const keys = Object.keys(calls) as CallKey[];
const sideOf = (key: CallKey): CallSpec['side'] => (calls[key] as CallSpec).side;
const demoOnly = keys.filter((key) => callPath(key).startsWith('/dev/'));

const ask = async (key: CallKey, headers: Record<string, string>) => {
  const method = callMethod(key);
  const path = callPath(key)
    .replace('{type}', 'messaging')
    .replace(/\{\w+\}/g, 'x');
  const sendsBody = !['GET', 'DELETE'].includes(method);
  const response = await fetch(`${chat.baseUrl}${path}`, {
    method,
    headers: {
      'x-api-key': chat.apiKey,
      ...(sendsBody ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(sendsBody ? { body: '{}' } : {}),
  });
  return { status: response.status, body: (await response.json()) as ErrorBody };
};

test.each(keys.filter((key) => sideOf(key) !== 'public'))('G2 %s is refused without a token', async (key) => {
  expect(await ask(key, {})).toMatchObject({ status: 401, body: { code: 5, name: 'AuthenticationFailed' } });
});

test.each(keys)('G2 %s is refused without the API key of the app', async (key) => {
  if (demoOnly.includes(key)) return;
  const authorization = signToken(chat.secret, { server: true });
  expect(await ask(key, { 'x-api-key': 'other', authorization })).toMatchObject({
    status: 401,
    body: { code: 2 },
  });
});

test.each(keys.filter((key) => sideOf(key) === 'S'))('G2 %s is refused for a user', async (key) => {
  const authorization = await chat.token('ana');
  expect(await ask(key, { authorization })).toMatchObject({ status: 403, body: { code: 17 } });
  expect(await ask(key, { 'x-auth-type': 'anonymous' })).toMatchObject({ status: 403, body: { code: 17 } });
});

test.each(keys.filter((key) => sideOf(key) === 'C'))('G2 %s is refused for a server', async (key) => {
  const authorization = signToken(chat.secret, { server: true });
  expect(await ask(key, { authorization })).toMatchObject({ status: 403, body: { code: 17 } });
});

test('G2 a user with the role admin is still no server', async () => {
  await chat.admin.users.upsert([{ id: 'boss', role: 'admin' }]);
  const authorization = await chat.token('boss');

  expect(await ask('GET /app', { authorization })).toMatchObject({ status: 403 });
});

test('G2 demo calls do not exist outside the demo', async () => {
  for (const key of demoOnly) expect(await ask(key, {})).toMatchObject({ status: 404, body: { code: 16 } });
});

test('G2 a suspended app refuses users, anonymous visitors and new connections, not its server', async () => {
  const authorization = await chat.token('ana');
  await chat.admin.app.update({ suspended: true });
  try {
    const suspended = { status: 403, body: { code: 99 } };
    expect(await ask('GET /unread', { authorization })).toMatchObject(suspended);
    expect(await ask('GET /unread', { 'x-auth-type': 'anonymous' })).toMatchObject(suspended);
    const { client } = chat.createTestClient();
    await expect(client.connectUser({ id: 'ana' }, authorization)).rejects.toMatchObject({ code: 99 });
  } finally {
    await chat.admin.app.update({ suspended: false });
  }
  expect((await ask('GET /unread', { authorization })).status).toBe(200);
});
