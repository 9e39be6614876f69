import { expect, test } from 'vitest';
import { directionOf, localeOf } from './direction.ts';

test.each([
  ['ar-EG', 'rtl'],
  ['he', 'rtl'],
  ['en', 'ltr'],
  ['tr-TR', 'ltr'],
])('%s reads %s', (tag, expected) => {
  expect(directionOf(tag)).toBe(expected);
});

test('the address wins over the browser, and nonsense is passed over', () => {
  expect(localeOf('?locale=ar', ['sv-SE'])).toBe('ar');
  expect(localeOf('?locale=%20x', ['sv-SE'])).toBe('sv-SE');
  expect(localeOf('', [])).toBe('en');
});
