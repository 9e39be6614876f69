import { expect, test } from 'vitest';
import { createTexts } from '../../i18n/text.ts';
import { typingTexts } from './texts.ts';
import { typingText } from './typing-text.ts';

test.each([
  [[], undefined],
  [['Ana'], 'Ana is typing'],
  [['Ana', 'Bo'], 'Ana and Bo are typing'],
  [['Ana', 'Bo', 'Cy'], '3 people are typing'],
])('%j reads %s', (names, expected) => {
  expect(typingText(names, createTexts('en')(typingTexts))).toBe(expected);
});
