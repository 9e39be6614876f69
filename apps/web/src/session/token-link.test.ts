import { expect, test } from 'vitest';
import { readTokenLink } from './token-link.ts';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokenOf = (claims: unknown) => `${part({ alg: 'HS256' })}.${part(claims)}.signature`;

test('W1 a link with a token says who signs in, and under which name', () => {
  const token = tokenOf({ user_id: 'zoë-1', exp: 20 });

  expect(readTokenLink(`#token=${token}&name=Zo%C3%AB`, 10_000)).toEqual({
    session: { kind: 'token', id: 'zoë-1', token, name: 'Zoë' },
  });
});

test.each([
  ['', undefined],
  ['#message-7', undefined],
  [`#token=${tokenOf({ user_id: 'ana', exp: 9 })}`, { refused: 'expired' }],
  ['#token=', { refused: 'incomplete' }],
  ['#token=ey.broken', { refused: 'incomplete' }],
  [`#token=${tokenOf({ server: true })}`, { refused: 'incomplete' }],
  [`#token=${tokenOf({ user_id: 'ana' }).replace(/\.signature$/, '')}`, { refused: 'incomplete' }],
])('W1 the fragment %j', (fragment, expected) => {
  expect(readTokenLink(fragment, 10_000)).toEqual(expected);
});
