import { expect, test } from 'vitest';
import { linkOf, readWish, UsageError } from './token-link.ts';

const local = { publicUrl: undefined, host: '127.0.0.1', port: 8800 };

test('W1 a link for somebody, with their name and its end', () => {
  expect(readWish(['ana', '--name', 'Ana Ribeiro', '--hours', '0.5'])).toEqual({
    userId: 'ana',
    name: 'Ana Ribeiro',
    hours: 0.5,
  });
  expect(linkOf(local, 'a.b.c', 'Ana Ribeiro')).toBe('http://127.0.0.1:8800/#token=a.b.c&name=Ana+Ribeiro');
});

test.each([
  [{ publicUrl: 'https://chat.example.com/' }, 'https://chat.example.com/#token=t'],
  [{ host: '0.0.0.0', port: 80 }, 'http://127.0.0.1:80/#token=t'],
  [{ host: '::1' }, 'http://[::1]:8800/#token=t'],
])('W1 the link of a server with %o', (server, expected) => {
  expect(linkOf({ ...local, ...server }, 't', undefined)).toBe(expected);
});

test.each([
  [[], /^Usage/],
  [['ana', 'bo'], /^Usage/],
  [['ana ribeiro'], /is not a user id/],
  [['ana', '--hours', 'never'], /--hours must be/],
  [['ana', '--days', '3'], /Unknown option '--days'/],
])('W1 %j is refused in words', (args, words) => {
  expect(() => readWish(args)).toThrow(UsageError);
  expect(() => readWish(args)).toThrow(words);
});
