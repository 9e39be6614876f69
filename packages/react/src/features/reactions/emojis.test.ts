import { expect, test } from 'vitest';
import { emojiOfReaction } from './emojis.ts';

test.each([
  ['like', '👍'],
  ['love', '❤️'],
  ['haha', '😂'],
  ['wow', '😮'],
  ['sad', '😢'],
  ['angry', '😠'],
  ['🎉', '🎉'],
  ['constructor', 'constructor'],
])('M5 the reaction %s shows %s', (type, emoji) => {
  expect(emojiOfReaction(type)).toBe(emoji);
});
