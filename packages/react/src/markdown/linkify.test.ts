import { expect, test } from 'vitest';
import { isJumbo, linkify } from './linkify.ts';

test.each([
  ['see https://example.org/a.', ['https://example.org/a']],
  ['(https://example.org/wiki/Parley_(talk))', ['https://example.org/wiki/Parley_(talk)']],
  ['http://a.example, https://b.example/?q=1!', ['http://a.example', 'https://b.example/?q=1']],
  ['javascript:alert(1) data:text/html,x ftp://a.example', []],
  ['https:// and https://', []],
  ['HTTPS://EXAMPLE.ORG', ['HTTPS://EXAMPLE.ORG']],
])('addresses in %j', (text, expected) => {
  const links = linkify(text).filter((part) => part.kind === 'link');

  expect(links.map((part) => part.value)).toEqual(expected);
});

test('no character is lost', () => {
  const text = 'a https://x.example. b\nhttps:// c';

  const joined = linkify(text).map((part) => part.value);

  expect(joined.join('')).toBe(text);
});

test.each([
  ['🎉', true],
  ['👩‍👩‍👧 🇧🇷 ❤️', true],
  ['😀😀😀😀', false],
  ['ok 🎉', false],
  ['12', false],
  ['', false],
])('%j is jumbo: %s', (text, expected) => {
  expect(isJumbo(text)).toBe(expected);
});
