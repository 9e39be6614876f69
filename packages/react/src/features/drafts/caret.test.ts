import { expect, test } from 'vitest';
import { movedCaret } from './caret.ts';

test('M8 a caret stays beside the same text when another device writes', () => {
  expect(movedCaret('one two', 'one two three', 3)).toBe(3);
  expect(movedCaret('one two', 'zero one two', 3)).toBe(8);
  expect(movedCaret('one two', 'one and two', 7)).toBe(11);
  expect(movedCaret('one two', 'one and two', 5)).toBe(9);
  expect(movedCaret('one', 'one', 2)).toBe(2);
  expect(movedCaret('here', '', 2)).toBe(0);
  expect(movedCaret('aaa', 'aaaa', 2)).toBe(2);
});
