import { expect, test } from 'vitest';
import { snippetOf, termsOf } from './snippet.ts';

const marked = (text: string, tsquery: string): string[] => {
  const snippet = snippetOf(text, termsOf(tsquery));
  return snippet.matches.map(({ start, end }) => snippet.text.slice(start, end));
};

test('M13 words are marked without regard to case, the last also at the beginning of longer ones', () => {
  expect(marked('Launch the launcher at launch-time', "'launch'")).toEqual(['Launch', 'launch']);
  expect(marked('Launch the launcher', "'launch':*")).toEqual(['Launch', 'launcher']);
  expect(marked('no Ärger über änderungen', "'änder':*")).toEqual(['änderungen']);
});

test('M13 what the query excludes is not marked', () => {
  expect(termsOf("'a' & !'b' <-> 'it''s':*").map(({ word }) => word)).toEqual(['a', "it's"]);
});

test('M13 a long text is cut around its first match, between words and characters', () => {
  const text = `${'before 🙂 '.repeat(60)}needle ${'🙃after '.repeat(60)}`;
  const snippet = snippetOf(text, termsOf("'needle'"));

  expect(snippet.text.length).toBeLessThanOrEqual(170);
  expect(snippet.text.isWellFormed()).toBe(true);
  expect(marked(text, "'needle'")).toEqual(['needle']);
  expect(snippet.text).toMatch(/^… .* …$/);
});

test('M13 operators in a word are not taken for a pattern', () => {
  expect(marked('well-known', "'well-known':* & 'a/b'")).toEqual(['well-known']);
  expect(marked('a.*b aXXb c++', "'a.*b' | 'c++'")).toEqual(['a.*b', 'c++']);
});
