import { expect, test } from 'vitest';
import { closeToken, piecesOf, stepFrom, withoutToken, withToken } from './search-options.ts';

test('M13 arrows walk through all groups and round the ends', () => {
  const keys = ['a', 'b', 'c'];

  expect(stepFrom(keys, undefined, 1)).toBe('a');
  expect(stepFrom(keys, undefined, -1)).toBe('c');
  expect(stepFrom(keys, 'c', 1)).toBe('a');
  expect(stepFrom(keys, 'gone', 1)).toBe('a');
  expect(stepFrom([], 'a', 1)).toBeUndefined();
});

test('M13 filters are added to and removed from the query', () => {
  expect(withToken('plan', 'has:link')).toBe('plan has:link ');
  expect(withToken('', 'has:link')).toBe('has:link ');
  expect(withoutToken('plan has:link b', 'has:link')).toBe('plan b');
  expect(closeToken('plan from:b', 'from:bo')).toBe('plan from:bo ');
});

test('M13 a snippet is cut at its matches and loses nothing', () => {
  const pieces = piecesOf('a <b>match</b> here', [{ start: 5, end: 10 }]);

  expect(pieces.map(({ text }) => text).join('')).toBe('a <b>match</b> here');
  expect(pieces.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(['match']);
});

test.each([
  ['the **big** plan', 'plan', 'the big plan'],
  ['**the plan**, _now_', 'plan', 'the plan, now'],
  ['see [the plan](https://x.org/p)', 'plan', 'see the plan'],
  ['2*3*4 of snake_case', 'snake_case', '2*3*4 of snake_case'],
])('M13 the snippet %j with the match %j is shown as %j', (text, match, shown) => {
  const start = text.indexOf(match);
  const pieces = piecesOf(text, [{ start, end: start + match.length }]);

  expect(pieces.map((piece) => piece.text).join('')).toBe(shown);
  expect(pieces.filter(({ isMatch }) => isMatch).map((piece) => piece.text)).toEqual([match]);
});
