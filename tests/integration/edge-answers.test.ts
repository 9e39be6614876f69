import { createTestChat, signToken, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana'], config: { corsOrigins: ['https://app.example'] } });
});
afterAll(() => chat.stop());

const preflight = (url: string, origin: string) =>
  fetch(`${url}/api/channels`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-api-key',
    },
  });

test('C10 a page of a named origin may call, one of another gets an error that names the missing variable', async () => {
  const named = await preflight(chat.url, 'https://app.example');
  const other = await preflight(chat.url, 'https://other.example');

  expect(named.status).toBe(204);
  expect(named.headers.get('access-control-allow-origin')).toBe('https://app.example');
  expect(other.status).toBe(403);
  expect(other.headers.get('access-control-allow-origin')).toBe(null);
  expect(await other.json()).toMatchObject({
    name: 'NotAllowed',
    message: expect.stringContaining('CORS_ORIGINS=https://other.example'),
  });
});

test('C10 without CORS_ORIGINS the answer and the log name it, once an origin; the own origin is no stranger', async () => {
  await using bare = await createTestChat({ users: ['ana'], config: { logLevel: 'warn' } });
  const lines: string[] = [];
  const log = bare.server.app.log;
  const warn = log.warn.bind(log);
  log.warn = ((...given: unknown[]) => {
    lines.push(String(given[0]));
    return warn(...(given as [string]));
  }) as typeof log.warn;

  const refused = await preflight(bare.url, 'https://other.example');
  await preflight(bare.url, 'https://other.example');
  const own = await fetch(`${bare.url}/api/unread`, {
    headers: { origin: bare.url, 'x-api-key': bare.apiKey, authorization: await bare.token('ana') },
  });

  expect(refused.status).toBe(403);
  expect(own.status).toBe(200);
  expect(lines.filter((line) => line.includes('CORS_ORIGINS=https://other.example'))).toHaveLength(1);
});

test('C10 a server with * in CORS_ORIGINS answers every page', async () => {
  await using open = await createTestChat({ config: { corsOrigins: ['*'] } });

  expect((await preflight(open.url, 'https://any.example')).status).toBe(204);
});

test('C10 the reply to a call without /api says where the API is', async () => {
  const reply = await fetch(`${chat.url}/channels/messaging/room/message`, { method: 'POST' });
  const read = await fetch(`${chat.url}/unread`);
  const none = await fetch(`${chat.url}/nonsense`, { method: 'POST' });

  expect(reply.status).toBe(404);
  expect(await reply.json()).toMatchObject({
    name: 'NotFound',
    message: expect.stringMatching(
      /POST \/api\/channels\/messaging\/room\/message.*baseUrl .* ends with \/api/,
    ),
  });
  expect([read.status, await read.text()]).toEqual([404, expect.stringContaining('/api/unread')]);
  expect(await none.text()).not.toContain('baseUrl');
});

test('C10 a bad user id is refused by the rule for ids, in a body and in a token', async () => {
  const admin = await chat.as();
  const made = await admin.raw('POST', '/users', {
    body: JSON.stringify({ users: { x: { id: 'ana banana' } } }),
  });
  const signed = await fetch(`${chat.baseUrl}/unread`, {
    headers: {
      'x-api-key': chat.apiKey,
      authorization: signToken(chat.server.kernel.config.apiSecret, { user_id: 'ana banana' }),
    },
  });

  expect(made).toMatchObject({ status: 400, body: { message: expect.stringContaining('1 to 64 of A–Z') } });
  expect(await signed.json()).toMatchObject({
    name: 'AuthenticationFailed',
    message: expect.stringContaining('1 to 64 of A–Z'),
  });
});
