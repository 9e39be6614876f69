import { expect, test } from 'vitest';
import { avatarHue, initials } from './avatar-look.ts';

test.each([
  ['Ana Ruiz', 'AR'],
  ['  ana   maria ruiz ', 'AR'],
  ['Bo', 'B'],
  ['李 小龙', '李小'],
  ['👩‍🚀 Luna', '👩L'],
  ['', ''],
])('initials of %j are %j', (name, expected) => {
  expect(initials(name)).toBe(expected);
});

test('a colour is stable and in range', () => {
  const hues = ['ana', 'bo', 'user-1', '🦊', ''].map(avatarHue);

  expect(hues).toEqual(['ana', 'bo', 'user-1', '🦊', ''].map(avatarHue));
  expect(hues.every((hue) => hue >= 0 && hue < 10)).toBe(true);
});
