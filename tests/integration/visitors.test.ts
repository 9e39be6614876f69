import { createTestChat, createTestClock, signToken, type TestChat } from '@parley/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connectFrame, openSocket } from './support.ts';

const clock = createTestClock();
let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'], overrides: { clock } });
});
afterEach(() =>
  chat.admin.app.update({
    suspended: false,
    guests_enabled: true,
    anonymous_enabled: true,
    permissions: null,
  }),
);
afterAll(() => chat.stop());

const ask = async <Body = Record<string, never>>(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<{ status: number; body: Body }> => {
  const response = await fetch(`${chat.baseUrl}${path}`, {
    method,
    headers: { 'x-api-key': chat.apiKey, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
};
const nobody = { 'x-auth-type': 'anonymous' };
const listAs = (headers: Record<string, string>, filter?: unknown) =>
  ask<{ users: { id: string }[] }>('POST', '/users/query', headers, filter ? { filter } : {});
type Guest = { user: { id: string }; access_token: string };
const newGuest = async (more: object = {}): Promise<Guest> =>
  (await ask<Guest>('POST', '/guest', {}, { user: { id: 'visitor' }, ...more })).body;

test('C11 visitors list nobody unless a rule of the app gives search-users', async () => {
  const guest = { authorization: (await newGuest()).access_token };
  const refusals = [await listAs(nobody), await listAs(guest, { name: { $autocomplete: 'a' } })];
  const rule = {
    name: 'All',
    action: 'Allow' as const,
    priority: 500,
    resources: ['search-users'],
    roles: ['*'],
  };
  await chat.admin.app.update({ permissions: [rule] });

  expect(refusals).toMatchObject([{ status: 403 }, { status: 403 }]);
  expect(JSON.stringify(refusals)).toContain('search-users');
  expect((await listAs(nobody)).status).toBe(200);
  expect((await listAs({ authorization: await chat.token('ana') })).status).toBe(200);
});

test('C11 a guest asks by id for those it shares a channel with, and sees no others', async () => {
  const { user, access_token } = await newGuest();
  await chat.admin.channels.create('messaging', 'help', { created_by_id: 'ana', members: ['ana', user.id] });

  const found = await listAs({ authorization: access_token }, { id: { $in: ['ana', 'bo'] } });

  expect(found.body.users.map(({ id }) => id)).toEqual(['ana']);
});

test('C11 a guest learns nothing of who opened a conversation with it, until the first message', async () => {
  const { user, access_token } = await newGuest();
  const bo = await chat.as('bo');
  const { channel } = await bo.call('POST /channels/{type}/query', {
    path: { type: 'messaging' },
    body: { data: { members: [user.id] } },
  });
  const found = async () => (await listAs({ authorization: access_token }, { id: { $in: ['bo'] } })).body;
  expect(await found()).toMatchObject({ users: [] });

  await bo.call('POST /channels/{type}/{id}/message', {
    path: { type: 'messaging', id: channel.id },
    body: { message: { text: 'hello' } },
  });
  expect(await found()).toMatchObject({ users: [{ id: 'bo' }] });
});

test('C11 a rule of the app that names no right of the app is refused', async () => {
  const server = await chat.as();
  const rule = { name: 'x', action: 'Allow', priority: 1, resources: ['send-message'] };

  const refusal = await server.refused('PATCH /app', { body: { permissions: [rule] } });

  expect(refusal).toMatchObject({ code: 4, details: [{ path: 'permissions.0.resources.0' }] });
});

test('C11 guests and anonymous visitors are switched off, those who are in as well', async () => {
  const { access_token } = await newGuest();
  const socket = openSocket(chat);
  await socket.opened;
  socket.send(connectFrame(undefined));
  await chat.admin.app.update({ guests_enabled: false, anonymous_enabled: false });

  const [made, called, unnamed] = [
    await ask('POST', '/guest', {}, { user: { id: 'late' } }),
    await ask('GET', '/unread', { authorization: access_token }),
    await ask('POST', '/channels', nobody, {}),
  ];

  expect([made, called, unnamed]).toMatchObject([{ status: 403 }, { status: 403 }, { status: 403 }]);
  expect(JSON.stringify([made, called])).toContain('guests_enabled');
  expect((await socket.closed).code).toBeGreaterThan(1000);
});

test('C11 a suspended app makes no guests', async () => {
  await chat.admin.app.update({ suspended: true });

  expect(await ask('POST', '/guest', {}, { user: { id: 'late' } })).toMatchObject({
    status: 403,
    body: { name: 'AppSuspended' },
  });
});

test('C11 the token of a guest ends; for a while it is exchanged for a new one of the same guest', async () => {
  const first = await newGuest();
  clock.advance(8 * 86_400_000);
  const ended = await ask('GET', '/unread', { authorization: first.access_token });
  const second = await newGuest({ access_token: first.access_token });
  const ofAna = await ask('POST', '/guest', {}, { user: { id: 'x' }, access_token: await chat.token('ana') });
  const good = await ask('GET', '/unread', { authorization: second.access_token });
  clock.advance(40 * 86_400_000);
  const late = await ask('POST', '/guest', {}, { user: { id: 'x' }, access_token: second.access_token });

  expect(ended).toMatchObject({ status: 401, body: { name: 'TokenExpired' } });
  expect([second.user.id, good.status]).toEqual([first.user.id, 200]);
  expect(ofAna).toMatchObject({ status: 400 });
  expect(late).toMatchObject({ status: 401, body: { name: 'TokenExpired' } });
});

test('C11 tokens of servers issued before the revocation of the app, or that do not say when, are refused', async () => {
  await using other = await createTestChat();
  const now = Date.now() / 1000;
  const askApp = async (claims: object) => {
    const authorization = signToken(other.secret, { server: true, ...claims });
    const reply = await fetch(`${other.baseUrl}/app`, {
      headers: { 'x-api-key': other.apiKey, authorization },
    });
    return ((await reply.json()) as { name?: string }).name;
  };
  const before = [await askApp({}), await askApp({ iat: now - 100 })];
  const far = await (await other.as()).refused('PATCH /app', {
    body: { revoke_tokens_issued_before: '2999-01-01T00:00:00Z' },
  });
  await other.admin.revokeTokens(new Date((now - 50) * 1000));

  expect(before).toEqual([undefined, undefined]);
  expect(far).toMatchObject({ code: 4, details: [{ path: 'revoke_tokens_issued_before' }] });
  expect([await askApp({}), await askApp({ iat: now - 100 })]).toEqual(['TokenRevoked', 'TokenRevoked']);
  expect(await askApp({ iat: now })).toBeUndefined();
});
