import { expect, test } from 'vitest';
import { english } from './english.ts';
import { createTranslate } from './text.ts';

test('plural forms follow the count', () => {
  const text = createTranslate(english, 'en');

  expect(text('newMessages', { n: 1 })).toBe('1 new message');
  expect(text('newMessages', { n: 1200 })).toBe('1,200 new messages');
});

test('a locale may use plural forms that English has not', () => {
  const polish = {
    ...english,
    memberCount: { one: '{n} osoba', few: '{n} osoby', many: '{n} osób', other: '{n} osoby' },
  };
  const text = createTranslate(polish, 'pl');

  expect(text('memberCount', { n: 3 })).toBe('3 osoby');
  expect(text('memberCount', { n: 5 })).toBe('5 osób');
});

test('values are data: braces in a name are left alone', () => {
  const text = createTranslate(english, 'en');

  expect(text('typingTwo', { first: '{second}', second: 'Bo' })).toBe('{second} and Bo are typing');
});

test('a name that turns the direction of writing turns only itself', () => {
  const text = createTranslate(english, 'en');

  expect(text('typingOne', { name: '\u202eoB\u2069' })).toBe('\u2068\u202eoB\u2069 is typing');
  expect(text('typingOne', { name: 'نور' })).toBe('نور is typing');
});
