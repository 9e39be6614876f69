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
