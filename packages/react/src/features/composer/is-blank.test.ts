import { expect, test } from 'vitest';
import { isBlank } from './is-blank.ts';

test.each([
  ['', true],
  ['  \n\t\u3000', true],
  ['\u202e\u200b\u2060', true],
  ['\u3164\u2800\ufe0f', true],
  [' a ', false],
  ['👩\u200d🚀', false],
])('%j shows nothing: %s', (text, expected) => {
  expect(isBlank(text)).toBe(expected);
});
