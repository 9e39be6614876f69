import { createHmac } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { createAdminClient } from './index.ts';

const make = () => {
  const fetch = vi.fn(
    async (_url: string, _init: RequestInit) => new Response('{"app":{},"users":{},"message":{}}'),
  );
  const admin = createAdminClient({
    apiKey: 'k',
    secret: 'shh',
    baseUrl: 'http://h/api/',
    environment: { fetch },
  });
  const lastBody = () => JSON.parse(String(fetch.mock.lastCall?.[1].body));
  return { admin, fetch, lastBody };
};
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

test('C10 server-side calls carry a server token signed with the secret', async () => {
  const { admin, fetch } = make();

  await admin.app.get();

  const headers = fetch.mock.lastCall?.[1].headers as Record<string, string>;
  const [head, claims, signature] = headers.authorization?.split('.') ?? [];
  expect(claimsOf(headers.authorization ?? '')).toEqual({ server: true, iat: expect.any(Number) });
  expect(signature).toBe(createHmac('sha256', 'shh').update(`${head}.${claims}`).digest('base64url'));
});

test('C10 a user token names the user, when it was issued and when it ends', async () => {
  const { admin } = make();

  expect(claimsOf(await admin.createToken('ann', 200, 100))).toEqual({ user_id: 'ann', iat: 100, exp: 200 });
  expect(claimsOf(await admin.createToken('ann')).exp).toBeUndefined();
});

test('C11 tokens are revoked for the app and for a user; null clears', async () => {
  const { admin, lastBody } = make();

  await admin.revokeTokens(new Date(0));
  expect(lastBody()).toEqual({ revoke_tokens_issued_before: '1970-01-01T00:00:00.000Z' });
  await admin.revokeUserToken('ann', null);
  expect(lastBody()).toEqual({ users: [{ id: 'ann', revoke_tokens_issued_before: null }] });
});

test('C11 a blank string for since is refused', async () => {
  const { admin, fetch } = make();

  await expect(admin.revokeTokens('')).rejects.toThrow("Don't pass a blank string for since");
  await expect(admin.revokeUserToken('ann', ' ')).rejects.toThrow("Don't pass a blank string for since");
  expect(fetch).not.toHaveBeenCalled();
});

test('M4 a message is sent as a user', async () => {
  const { admin, lastBody } = make();

  await admin.messages.send('messaging:general', 'ann', { text: 'hi' });

  expect(lastBody()).toEqual({ message: { text: 'hi', user_id: 'ann' } });
});

test('C9 an admin client without a secret is refused in words', () => {
  expect(() => createAdminClient({ apiKey: 'k', secret: '', baseUrl: 'http://127.0.0.1/api' })).toThrow(
    'needs the secret',
  );
});

test('C9 an admin client without its options, key or address is refused in words', () => {
  const bare = createAdminClient as (options?: unknown) => unknown;
  const rest = { apiKey: 'k', secret: 's' };

  expect(() => bare()).toThrow('needs the apiKey');
  expect(() => bare({ secret: 's', baseUrl: 'http://h/api' })).toThrow('needs the apiKey');
  for (const baseUrl of [undefined, '', '/api', 'h:8800/api', new URL('http://h/api')])
    expect(() => bare({ ...rest, baseUrl })).toThrow('baseUrl: must be text such as "https://');
});

test('C9 slashes at the end of the address are left out', async () => {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => new Response('{"app":{}}'));
  const options = { apiKey: 'k', secret: 's', baseUrl: 'http://h/api//', environment: { fetch } };

  await createAdminClient(options).app.get();

  expect(fetch.mock.lastCall?.[0]).toBe('http://h/api/app');
});

test.each<[given: unknown[], words: string]>([
  [[], 'userId: must be the id of a user'],
  [[4], 'userId: must be the id of a user'],
  [['a b'], 'userId: must be the id of a user'],
  [['..'], 'userId: must be the id of a user'],
  [['ann', 1_800_000_000_000], 'exp: must be in seconds since 1970, and 1800000000000 is in milliseconds'],
  [['ann', undefined, 1_800_000_000_000], 'iat: must be in seconds since 1970'],
  [['ann', Number.NaN], 'exp: must be a number of seconds since 1970, not NaN'],
  [['ann', new Date()], 'exp: must be a number of seconds since 1970, not a Date'],
  [['ann', '2027-01-01'], 'exp: must be a number of seconds since 1970, not 2027-01-01'],
  [['ann', null], 'exp: must be a number of seconds since 1970, not null'],
  [['ann', Number.POSITIVE_INFINITY], 'exp: must be a number of seconds since 1970, not Infinity'],
])('C10 a token is not signed from %j', async (given, words) => {
  const { admin } = make();

  await expect((admin.createToken as (...all: unknown[]) => Promise<string>)(...given)).rejects.toThrow(
    words,
  );
});

test.each<[given: unknown, words: string]>([
  [{ id: 'ann' }, 'users: must be a list of users'],
  [undefined, 'users: must be a list of users'],
  [[{ id: 'ann' }, { name: 'Bo' }], 'users.1.id: is missing'],
  [[null], 'users.0.id: is missing'],
])('C10 users.upsert says of %j what is wrong, and sends nothing', async (given, words) => {
  const { admin, fetch } = make();

  await expect(admin.users.upsert(given as never)).rejects.toThrow(words);
  expect(fetch).not.toHaveBeenCalled();
});

test.each([undefined, 5, new Date(Number.NaN)])('C11 tokens are not revoked since %j', async (since) => {
  const { admin, fetch } = make();

  await expect(admin.revokeTokens(since as never)).rejects.toThrow('since: must be a time');
  expect(fetch).not.toHaveBeenCalled();
});
