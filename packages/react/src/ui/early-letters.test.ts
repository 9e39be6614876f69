import { expect, test } from 'vitest';
import { typedWith } from './early-letters.ts';

test.each([
  ['letters are kept', ['h', 'e', 'a'], 'hea'],
  ['capitals and signs too', ['Shift', 'É', '👍'], 'É👍'],
  ['Backspace takes back the last one', ['a', '👍', 'Backspace'], 'a'],
  ['a space begins no word', [' ', 'a', ' ', 'b'], 'a b'],
  ['a key that leads elsewhere ends them', ['a', 'Tab'], ''],
])('W2 letters typed before a field is there: %s', (_title, keys, typed) => {
  expect(keys.reduce(typedWith, '')).toBe(typed);
});
