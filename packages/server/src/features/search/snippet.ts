import type { Snippet } from '@parley/protocol';
import { type Token, tokensOf } from './tokens.ts';
import type { Term } from './words.ts';

const mostLength = 160;
const lead = 40;
const mostMatches = 20;

type Mark = { start: number; end: number };

/** The place of the term, if it begins at this token. */
const matchAt = (tokens: Token[], at: number, { words, isPrefix }: Term): Mark | undefined => {
  const first = tokens[at];
  let last: Token | undefined;
  for (const [index, word] of words.entries()) {
    const token = tokens[at + index];
    const isBeginning = isPrefix && index === words.length - 1 && token?.word.startsWith(word);
    if (token === undefined || (token.word !== word && !isBeginning)) return undefined;
    last = token;
  }
  if (!first || !last) return undefined;
  const isPart = last.isPair && isPrefix && last.end - last.start === last.word.length;
  return { start: first.start, end: isPart ? last.start + (words.at(-1)?.length ?? 0) : last.end };
};

const findMatches = (text: string, terms: Term[]): Mark[] => {
  if (terms.length === 0) return [];
  const found: Mark[] = [];
  const tokens = tokensOf(text);
  for (let at = 0; at < tokens.length && found.length < mostMatches; at++) {
    const marks = terms.flatMap((term) => matchAt(tokens, at, term) ?? []);
    const mark = marks.sort((a, b) => b.end - a.end)[0];
    const before = found.at(-1);
    if (mark === undefined) continue;
    if (before && mark.start < before.end) before.end = Math.max(before.end, mark.end);
    else found.push({ ...mark });
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

/** Plain text around the first match. A match that the edge cuts is marked as far as it is shown. */
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
      .filter((match) => match.start >= start && match.start < end)
      .map((match) => ({ start: match.start + shift, end: Math.min(match.end, end) + shift })),
  };
};
