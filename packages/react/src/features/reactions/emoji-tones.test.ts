import { expect, test } from 'vitest';
import { emojiTones, withoutTone, withTone } from './emoji-tones.ts';

const [, , , medium] = emojiTones;

test.each([
  ['👍', '👍🏽'],
  ['👩‍💻', '👩🏽‍💻'],
  ['✌️', '✌🏽'],
  ['🍕', '🍕'],
  ['👨‍👩‍👧', '👨‍👩‍👧'],
  ['👩‍❤️‍👨', '👩🏽‍❤️‍👨🏽'],
  ['❤️', '❤️'],
])('%s in a tone is %s', (emoji, expected) => {
  expect(withTone(emoji, medium)).toBe(expected);
  expect(withTone(emoji, '')).toBe(emoji);
});

test('without its tone an emoji is found again', () => {
  expect(withoutTone('👍🏽')).toBe('👍');
});
