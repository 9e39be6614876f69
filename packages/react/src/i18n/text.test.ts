import { expect, test } from 'vitest';
import { defineTexts } from './catalogue.ts';
import { createTexts } from './text.ts';

const trees = defineTexts('trees', {
  grown: { one: '{count} tree grew', other: '{count} trees grew' },
  seenBy: '{first} and {second} saw it',
  planted: '{name} planted {count}',
  fell: { one: 'It fell', other: 'They fell' },
});

const polish = {
  grown: {
    one: 'Wyrosło {count} drzewo',
    few: 'Wyrosły {count} drzewa',
    many: 'Wyrosło {count} drzew',
    other: 'Wyrosło {count} drzewa',
  },
};

test('W1 a count chooses the plural form, and numbers are written as the language does', () => {
  const text = createTexts('en')(trees);

  expect(text('grown', { count: 1 })).toBe('1 tree grew');
  expect(text('grown', { count: 1200 })).toBe('1,200 trees grew');
  expect(text('fell', { count: 2 })).toBe('They fell');
});

test.each([
  [1, 'Wyrosło 1 drzewo'],
  [3, 'Wyrosły 3 drzewa'],
  [5, 'Wyrosło 5 drzew'],
  [1.5, 'Wyrosło 1,5 drzewa'],
])('W1 a language has plural forms that English has not: %d', (count, expected) => {
  expect(createTexts('pl', { trees: polish })(trees)('grown', { count })).toBe(expected);
});

test('W1 a text that has no translation is English, with the plural forms of English', () => {
  const text = createTexts('fr', { trees: {} })(trees);

  expect(text('grown', { count: 0 })).toBe('0 trees grew');
  expect(text('seenBy', { first: 'Ana', second: 'Bo' })).toBe('Ana and Bo saw it');
});

test.each<[string, unknown]>([
  ['lacks a placeholder', { seenBy: '{first} était là' }],
  ['is no text', { seenBy: 7 }],
  ['is nothing', { seenBy: null }],
  ['lacks the form for all other counts', { seenBy: { one: '{first}, {second}' } }],
  ['has a key of no text', { seen: '{first}, {second}' }],
])('W1 a translation that %s is passed over', (_, given) => {
  const text = createTexts('fr', { trees: given as Record<string, unknown> })(trees);

  expect(text('seenBy', { first: 'Ana', second: 'Bo' })).toBe('Ana and Bo saw it');
});

test('W1 a language without plurals gives one sentence, another may give forms for any text that counts', () => {
  const text = createTexts('pl', {
    trees: { planted: { one: '{name} posadził {count}', other: '{name} posadził {count} razem' } },
  })(trees);

  expect(text('planted', { name: 'Ana', count: 1 })).toBe('Ana posadził 1');
  expect(createTexts('ja', { trees: { grown: '{count}本' } })(trees)('grown', { count: 1 })).toBe('1本');
});

test('W1 the texts that all features share are behind each catalogue, translated under their own name', () => {
  const textsOf = createTexts('pl', { common: { cancel: 'Anuluj' }, trees: { close: 'nie' } });

  expect(textsOf(trees)('cancel')).toBe('Anuluj');
  expect(textsOf(trees)('close')).toBe('Close');
});

test('W1 texts that are loaded later are translated under the same name', () => {
  const late = defineTexts('trees', { cut: 'Cut down' });
  const textsOf = createTexts('pl', { trees: { ...polish, cut: 'Ścięte' } });

  expect(textsOf(late)('cut')).toBe('Ścięte');
  expect(textsOf(trees)('grown', { count: 5 })).toBe('Wyrosło 5 drzew');
  expect(textsOf(late)).toBe(textsOf(late));
});

test('W1 values are data: braces in a name are left alone', () => {
  expect(createTexts('en')(trees)('seenBy', { first: '{second}', second: 'Bo' })).toBe(
    '{second} and Bo saw it',
  );
});

test('W1 a name that turns the direction of writing turns only itself', () => {
  const text = createTexts('en')(trees);

  expect(text('seenBy', { first: '\u202eoB\u2069', second: 'نور' })).toBe(
    '\u2068\u202eoB\u2069 and نور saw it',
  );
});
