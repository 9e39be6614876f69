import type { Snippet } from '@parley/protocol';

const mostLength = 160;
const lead = 40;
const mostMatches = 20;

/** A word of the query; a prefix matches longer words too. */
export type Term = { word: string; isPrefix: boolean };

/** The words that a found message may contain, from PostgreSQL's own reading of the query; those negated are left out. */
export const termsOf = (tsquery: string): Term[] => {
  const terms: Term[] = [];
  for (const [, negation, word, prefix] of tsquery.matchAll(/(!?)'((?:[^']|'')+)'(:\*)?/g))
    if (word !== undefined && negation === '')
      terms.push({
        word: word.replaceAll("''", "'").replaceAll('\\\\', '\\'),
        isPrefix: prefix !== undefined,
      });
  return terms;
};

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Whole words without regard to case, longest first so that the longer of two that overlap is marked. */
const patternOf = (terms: Term[]): RegExp => {
  const words = [...terms]
    .sort((a, b) => b.word.length - a.word.length)
    .map(({ word, isPrefix }) => `${escaped(word)}${isPrefix ? '[\\p{L}\\p{N}_]*' : '(?![\\p{L}\\p{N}_])'}`);
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.join('|')})`, 'giu');
};

const findMatches = (text: string, terms: Term[]): { start: number; end: number }[] => {
  const found: { start: number; end: number }[] = [];
  if (terms.length === 0) return found;
  for (const match of text.matchAll(patternOf(terms))) {
    found.push({ start: match.index, end: match.index + match[0].length });
    if (found.length === mostMatches) break;
  }
  return found;
};

/** Neither half of a surrogate pair nor half a word stands at an edge, where there is a space to cut at. */
const cutStart = (text: string, from: number): number => {
  if (from <= 0) return 0;
  const space = text.slice(from, from + lead / 2).search(/\s/);
  const at = space < 0 ? from : from + space + 1;
  return /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at + 1 : at;
};
const cutEnd = (text: string, to: number): number => {
  if (to >= text.length) return text.length;
  const space = text.slice(to - lead / 2, to).lastIndexOf(' ');
  const at = space < 0 ? to : to - lead / 2 + space;
  return /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) ? at - 1 : at;
};

export const snippetOf = (message: string, terms: Term[]): Snippet => {
  const matches = findMatches(message, terms);
  const first = matches[0]?.start ?? 0;
  const start = message.length <= mostLength ? 0 : cutStart(message, first - lead);
  const end = cutEnd(message, start + mostLength);
  const before = start > 0 ? '… ' : '';
  const shift = before.length - start;
  return {
    text: `${before}${message.slice(start, end)}${end < message.length ? ' …' : ''}`,
    matches: matches
      .filter((match) => match.start >= start && match.end <= end)
      .map((match) => ({ start: match.start + shift, end: match.end + shift })),
  };
};
