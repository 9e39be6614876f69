import { expect, test } from 'vitest';
import { isPrepended } from './use-anchored-list.ts';

test.each([
  ['older messages above', ['c', 'd'], ['a', 'b', 'c', 'd'], true],
  [
    'older messages below the separator of their day',
    ['today', 'c', 'd'],
    ['today', 'a', 'b', 'c', 'd'],
    true,
  ],
  ['a new message', ['a', 'b'], ['a', 'b', 'c'], false],
  ['a message before one that waits', ['a', 'b', 'mine'], ['a', 'b', 'theirs', 'mine'], false],
  ['the first page', [], ['a', 'b'], false],
  ['nothing new', ['a', 'b'], ['a', 'b'], false],
  ['a row gone', ['a', 'b', 'c'], ['a', 'c'], false],
  ['another window', ['a', 'b'], ['x', 'y', 'z'], false],
])('M3 %s', (_, before, now, expected) => {
  expect(isPrepended(before, now)).toBe(expected);
});
