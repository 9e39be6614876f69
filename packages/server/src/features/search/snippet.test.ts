import { expect, test } from 'vitest';
import { snippetOf } from './snippet.ts';
import { tokensOf, wordsOf } from './tokens.ts';
import { readWords } from './words.ts';

const marked = (text: string, typed: string): string[] => {
  const snippet = snippetOf(text, readWords(typed).terms);
  return snippet.matches.map(({ start, end }) => snippet.text.slice(start, end));
};

test('M13 words are marked without regard to case and accents, the last also at the beginning of longer ones', () => {
  expect(marked('Launch the launcher at launch-time', 'launch ')).toEqual(['Launch', 'launch']);
  expect(marked('Launch the launcher', 'launch')).toEqual(['Launch', 'launcher']);
  expect(marked('no Ärger über änderungen', 'ander')).toEqual(['änderungen']);
  expect(marked('Crème brûlée, STRASSE', 'creme brulee straße')).toEqual(['Crème', 'brûlée', 'STRASSE']);
});

test('M13 any part of a sentence without spaces is marked', () => {
  expect(marked('明日は東京都に行きます', '京都に')).toEqual(['京都に']);
  expect(marked('明日は東京都に行きます', '都')).toEqual(['都']);
  expect(marked('明日は東京都に行きます', '京に')).toEqual([]);
  expect(marked('학교에서 만나요', '교에')).toEqual(['교에']);
  expect(marked('ｶﾀｶﾅ と ガラス', 'ガラ')).toEqual(['ガラ']);
});

test('M13 excluded words are not marked; phrases are marked as a whole', () => {
  expect(marked('red green blue', 'red -green')).toEqual(['red']);
  expect(marked('old town, town old', '"old town"')).toEqual(['old town']);
  expect(marked('a 🎉 and 🎂', '🎉')).toEqual(['🎉']);
});

test('M13 a long text is cut around its first match, between words and characters', () => {
  const text = `${'before 🙂 '.repeat(60)}needle ${'🙃after '.repeat(60)}`;
  const snippet = snippetOf(text, readWords('needle').terms);

  expect(snippet.text.length).toBeLessThanOrEqual(170);
  expect(snippet.text.isWellFormed()).toBe(true);
  expect(marked(text, 'needle')).toEqual(['needle']);
  expect(snippet.text).toMatch(/^… .* …$/);
});

test('M13 a query of any signs is a query of its words', () => {
  expect(readWords('a & b | !c:*').query).toBe("(('a')) & (('b') | ('c'))");
  expect(readWords('cats OR dogs -"big ones"').query).toBe("(('cats') | ('dogs')) & (!('big' <-> 'ones'))");
  expect(readWords("it's").query).toBe("(('it' <-> 's':*))");
  expect(readWords('old ha').best).toBe("('old' <-> 'ha':*)");
  expect(readWords('ha').best).toBe("('ha')");
  expect(readWords('OR OR " - ()').query).toBe('');
});

test('M13 marks without a letter are no words', () => {
  expect(wordsOf('I ❤\ufe0f it \u0301 \u200d', false)).toBe("'i':1 '❤':2 'it':3");
});

test('M13 a word keeps at most 255 places and a text 16 383, whatever is in it', () => {
  expect(wordsOf('x '.repeat(9000), false).split(',')).toHaveLength(255);
  expect(tokensOf('語'.repeat(20_000))).toHaveLength(16_383);
  expect(wordsOf('see http://x.org', true)).toBe("'see':1 'http':2 'x':3 'org':4 '#link' '#file'");
});
