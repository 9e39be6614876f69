import { expect, test } from 'vitest';
import { isBlank } from './is-blank.ts';

test.each([
  ['', true],
  ['  \n\t\u3000', true],
  ['\u202e\u200b\u2060', true],
  [' a ', false],
  ['👩\u200d🚀', false],
])('%j shows nothing: %s', (text, expected) => {
  expect(isBlank(text)).toBe(expected);
});
