import { expect, test } from 'vitest';
import { isSame } from './readables.ts';

test.each([
  [1, 1, true],
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, true],
  [{ a: undefined }, {}, false],
  [{ a: undefined }, { b: undefined }, false],
  [[], {}, false],
  [null, {}, false],
  [['a'], ['a', 'b'], false],
])('%j and %j: %s', (a, b, expected) => {
  expect(isSame(a, b)).toBe(expected);
});
