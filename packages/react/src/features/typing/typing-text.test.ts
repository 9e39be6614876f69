import { expect, test } from 'vitest';
import { createTranslate, english } from '../../i18n/english.ts';
import { typingText } from './typing-text.ts';

test.each([
  [[], undefined],
  [['Ana'], 'Ana is typing'],
  [['Ana', 'Bo'], 'Ana and Bo are typing'],
  [['Ana', 'Bo', 'Cy'], '3 people are typing'],
])('%j reads %s', (names, expected) => {
  expect(typingText(names, createTranslate(english, 'en'))).toBe(expected);
});
