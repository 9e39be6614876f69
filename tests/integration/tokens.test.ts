import { createTestChat, createTestClock, signToken, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientClock } from './support.ts';

const serverClock = createTestClock();
let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'], overrides: { clock: serverClock } });
});
afterAll(() => chat.stop());

const seconds = () => Math.floor(serverClock.now() / 1000);
const tokenUntil = (user: string, exp: number) => chat.admin.createToken(user, exp);

const ask = async (authorization: string, headers: Record<string, string> = {}) => {
  const raw = await chat.as('ana');
  const { status, body } = await raw.raw('GET', '/unread', { headers: { authorization, ...headers } });
  return { status, code: (body as { code?: number }).code };
};

test('C9 a static token serves every call', async () => {
  const { client } = await chat.connect('ana');

  await client.users.query();

  expect(await ask(await chat.token('ana'))).toEqual({ status: 200, code: undefined });
  expect(await ask(`Bearer ${await chat.token('ana')}`)).toEqual({ status: 200, code: undefined });
});

test('C9 on an expired token the provider is asked again and the connect goes on', async () => {
  const given = [await tokenUntil('ana', seconds() - 1), await chat.token('ana')];
  const { client } = chat.createTestClient();

  const me = await client.connectUser({ id: 'ana' }, () => given.shift() ?? '');

  expect(me.id).toBe('ana');
  expect(given).toEqual([]);
});

test('C9 on an expired token a call is made again with a new one', async () => {
  let asked = 0;
  const provider = async () => {
    asked++;
    return tokenUntil('ana', seconds() + 60);
  };
  const { client } = chat.createTestClient();
  await client.connectUser({ id: 'ana' }, provider);

  serverClock.advance(61_000);
  const [users, unread] = await Promise.all([client.users.query(), client.reads.unread()]);

  expect(users.users.length).toBeGreaterThan(0);
  expect(unread.total_unread_count).toBe(0);
  expect(asked).toBe(2);
});

test('C9 a static token that expired reaches the caller as TokenExpired', async () => {
  const { client } = chat.createTestClient();
  await client.connectUser({ id: 'ana' }, await tokenUntil('ana', seconds() + 60));

  serverClock.advance(61_000);

  await expect(client.users.query()).rejects.toMatchObject({ name: 'TokenExpired', code: 40, status: 401 });
});

test('C9 after more than one failure in a row the next reload waits', async () => {
  const clock = createTestClock();
  let expired = false;
  let asked = 0;
  const provider = async () => {
    asked++;
    return tokenUntil('ana', expired ? seconds() - 1 : seconds() + 3600);
  };
  const { client } = chat.createTestClient({ environment: { clock: clientClock(clock), random: () => 1 } });
  await client.connectUser({ id: 'ana' }, provider);
  expired = true;
  serverClock.advance(3_601_000);

  const failing = client.users.query().catch((error: Error) => error);
  await until(() => asked === 2, 'the first reload');
  await until(() => clock.dueIn() <= 1000, 'the wait before the next');
  expect(asked).toBe(2);
  clock.advance(1000);
  await until(() => asked === 3, 'the second reload');
  expired = false;
  await until(() => clock.dueIn() <= 2000, 'the longer wait');
  clock.advance(2000);

  expect(await failing).toMatchObject({ users: expect.any(Array) });
  expect(asked).toBe(4);
});

test('C9 other error responses reach the caller as they are', async () => {
  let asked = 0;
  const { client } = chat.createTestClient();
  await client.connectUser({ id: 'ana' }, () => {
    asked++;
    return chat.token('ana');
  });

  await expect(client.messages.get('nowhere')).rejects.toMatchObject({
    name: 'NotFound',
    code: 16,
    status: 404,
    requestId: expect.stringMatching(/./),
  });
  await expect(client.users.query({ filter: { name: { $bad: 1 } } })).rejects.toMatchObject({
    name: 'InputInvalid',
    details: [{ path: expect.stringContaining('$bad') }],
  });
  expect(asked).toBe(1);
});

test('C9 forged and broken tokens are refused', async () => {
  const claims = { user_id: 'ana', iat: seconds() };
  const none = signToken('', claims, { alg: 'none', typ: 'JWT' });
  const cases: [string, string][] = [
    ['alg none', none],
    ['alg none without signature', none.replace(/[^.]*$/, '')],
    ['another secret', signToken('another-secret-another-secret-another', claims)],
    ['RS256 in the header', signToken(chat.secret, claims, { alg: 'RS256', typ: 'JWT' })],
    ['HS512 in the header', signToken(chat.secret, claims, { alg: 'HS512', typ: 'JWT' })],
    ['no user', signToken(chat.secret, { iat: seconds() })],
    ['a user that is no id', signToken(chat.secret, { user_id: 'a:b' })],
    ['a user that is no text', signToken(chat.secret, { user_id: 7 })],
    ['server as a word', signToken(chat.secret, { server: 'true' })],
    ['an array for claims', signToken(chat.secret, [] as never)],
    ['a crit header', signToken(chat.secret, claims, { alg: 'HS256', crit: ['x'], x: 1 })],
    ['garbage', 'garbage'],
    ['three parts of garbage', 'a.b.c'],
    ['a bearer without a token', 'Bearer '],
    ['nothing', ''],
  ];

  for (const [what, token] of cases)
    expect([what, await ask(token)]).toEqual([what, { status: 401, code: 5 }]);
  expect(await ask(await chat.token('ana'))).toMatchObject({ status: 200 });
});

test('C9 expired and future tokens have codes of their own', async () => {
  expect(await ask(await tokenUntil('ana', seconds() - 1))).toEqual({ status: 401, code: 40 });
  const later = seconds() + 3600;
  expect(await ask(signToken(chat.secret, { user_id: 'ana', iat: later }))).toEqual({
    status: 401,
    code: 41,
  });
  expect(await ask(signToken(chat.secret, { user_id: 'ana', nbf: later }))).toEqual({
    status: 401,
    code: 41,
  });
});

test('C9 another API key and another auth type are refused', async () => {
  const token = await chat.token('ana');

  expect(await ask(token, { 'x-api-key': 'other' })).toEqual({ status: 401, code: 2 });
  expect(await ask(token, { 'x-api-key': '' })).toEqual({ status: 401, code: 2 });
  expect(await ask(token, { 'x-auth-type': 'basic' })).toEqual({ status: 401, code: 5 });
});

test('C9 a connection whose token ended comes back with a new one', async () => {
  let asked = 0;
  const { client } = chat.createTestClient({ environment: { random: () => 0 } });
  await client.connectUser({ id: 'ana' }, () => {
    asked++;
    return tokenUntil('ana', seconds() + 30);
  });
  const states: string[] = [];
  client.on('connection.changed', ({ state }) => states.push(state.status));

  serverClock.advance(31_000);

  await until(() => states.includes('online'), 'the connection again');
  expect(asked).toBe(2);
});
