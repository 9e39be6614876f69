import { createAdminClient } from '@parley/client/admin';
import { createTestChat, signToken, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

const now = () => Math.floor(Date.now() / 1000);
const tokenAt = (user: string, iat: number) => chat.admin.createToken(user, undefined, iat);
const ask = async (authorization: string) => {
  const raw = await chat.as('ana');
  const { status, body } = await raw.raw('GET', '/unread', { headers: { authorization } });
  return { status, code: (body as { code?: number }).code };
};

test('C11 tokens of one user issued before a time are refused; null lifts it', async () => {
  const old = await tokenAt('ana', now() - 100);
  const fresh = await tokenAt('ana', now());
  const bos = await tokenAt('bo', now() - 100);

  await chat.admin.revokeUserToken('ana', new Date((now() - 50) * 1000));

  expect(await ask(old)).toEqual({ status: 401, code: 43 });
  expect(await ask(fresh)).toMatchObject({ status: 200 });
  expect(await ask(bos)).toMatchObject({ status: 200 });
  await chat.admin.revokeUserToken('ana', null);
  expect(await ask(old)).toMatchObject({ status: 200 });
});

test('C11 a token without iat is refused once a time is set', async () => {
  const timeless = signToken(chat.secret, { user_id: 'ana' });
  expect(await ask(timeless)).toMatchObject({ status: 200 });

  await chat.admin.revokeUserToken('ana', new Date((now() - 50) * 1000).toISOString());

  expect(await ask(timeless)).toEqual({ status: 401, code: 43 });
  await chat.admin.revokeUserToken('ana', null);
});

test('C11 tokens of the whole app are revoked and given back', async () => {
  const olds = [await tokenAt('ana', now() - 100), await tokenAt('bo', now() - 100)];

  const app = await chat.admin.revokeTokens(new Date((now() - 50) * 1000));

  expect(app.revoke_tokens_issued_before).toMatch(/Z$/);
  for (const old of olds) expect(await ask(old)).toEqual({ status: 401, code: 43 });
  expect((await chat.admin.app.get()).name).toBe('Parley');
  expect(await chat.admin.revokeTokens(null)).not.toHaveProperty('revoke_tokens_issued_before');
  for (const old of olds) expect(await ask(old)).toMatchObject({ status: 200 });
});

test.each(['', ' '])(
  'C11 a blank string for since (%j) is refused by the client and by the server',
  async (since) => {
    const text = "Don't pass a blank string for since";
    const server = await chat.as();

    await expect(chat.admin.revokeTokens(since)).rejects.toThrow(text);
    await expect(chat.admin.revokeUserToken('ana', since)).rejects.toThrow(text);
    const app = await server.refused('PATCH /app', { body: { revoke_tokens_issued_before: since } });
    const user = await server.refused('PATCH /users', {
      body: { users: [{ id: 'ana', revoke_tokens_issued_before: since }] },
    });

    expect(app).toMatchObject({ code: 4, status: 400, message: text });
    expect(user).toMatchObject({ code: 4, status: 400, message: text });
  },
);

test('C11 a since that is no time is refused', async () => {
  const server = await chat.as();

  const refusal = await server.refused('PATCH /app', { body: { revoke_tokens_issued_before: 'tomorrow' } });

  expect(refusal).toMatchObject({ code: 4, status: 400 });
});

test('C11 a user may not revoke, neither own tokens nor those of the app', async () => {
  const ana = await chat.as('ana');
  const since = new Date().toISOString();

  const own = await ana.refused('PATCH /users', {
    body: { users: [{ id: 'ana', revoke_tokens_issued_before: since }] },
  });
  const app = await ana.refused('PATCH /app', { body: { revoke_tokens_issued_before: since } });

  expect([own.code, app.code]).toEqual([17, 17]);
});

test('C11 a revoked token opens no connection', async () => {
  const old = await tokenAt('bo', now() - 100);
  await chat.admin.revokeUserToken('bo', new Date((now() - 50) * 1000));
  const { client } = chat.createTestClient();

  await expect(client.connectUser({ id: 'bo' }, old)).rejects.toMatchObject({
    name: 'TokenRevoked',
    code: 43,
  });

  await chat.admin.revokeUserToken('bo', null);
});

test('C10 the secret signs server calls; another secret is refused', async () => {
  const stranger = createAdminClient({
    apiKey: chat.apiKey,
    baseUrl: chat.baseUrl,
    secret: 'not-the-secret-of-this-app-not-at-all',
  });

  await expect(chat.admin.app.get()).resolves.toMatchObject({ name: 'Parley' });
  await expect(stranger.app.get()).rejects.toMatchObject({ name: 'AuthenticationFailed', status: 401 });
});

test('C10 a server acts for a user; a client that names another is refused', async () => {
  await chat.admin.channels.create('messaging', 'c10', { created_by_id: 'ana', members: ['ana', 'bo'] });
  const ana = await chat.as('ana');

  const sent = await chat.admin.messages.send('messaging:c10', 'bo', { text: 'for Bo' });
  const asBo = await ana.refused('POST /channels/{type}/{id}/message', {
    path: { type: 'messaging', id: 'c10' },
    body: { message: { text: 'x', user_id: 'bo' } },
  });
  const inQuery = await ana.refused('GET /unread', { query: { user_id: 'bo' } });

  expect(sent.user?.id).toBe('bo');
  expect([asBo, inQuery]).toMatchObject([
    { code: 17, status: 403 },
    { code: 17, status: 403 },
  ]);
});

test('C10 a server call that needs a user and names none, or nobody, is refused', async () => {
  const server = await chat.as();

  const none = await server.refused('GET /unread');
  const nobody = await server.refused('GET /unread', { query: { user_id: 'nobody' } });

  expect(none).toMatchObject({ status: 400, details: [{ path: 'user_id' }] });
  expect(nobody).toMatchObject({ status: 400, details: [{ path: 'user_id' }] });
});

test('C10 a server token opens no connection', async () => {
  const { client } = chat.createTestClient();

  const connecting = client.connectUser({ id: 'ana' }, signToken(chat.secret, { server: true }));

  await expect(connecting).rejects.toMatchObject({ name: 'NotAllowed' });
});
