import { type Token, tokensOf } from './tokens.ts';

/** Words that stand one after the other; the last may be the beginning of a longer one. */
export type Term = { words: string[]; isPrefix: boolean };

type Words = {
  /** A tsquery; empty when what was typed holds no word. */
  query: string;
  /** A narrower tsquery whose matches come first however old they are, if there is one. */
  best: string | undefined;
  /** The terms that may be marked in a found message. */
  terms: Term[];
};

type Piece = Term & { isNegated: boolean; isOr: boolean; tail: string[] };

const parts = /(-?)"([^"]*)("?)|\S+/g;

/** The end of a run matches as a beginning: what follows it in the sentence is not known. */
const termOf = (tokens: Token[], isOpen: boolean): Omit<Piece, 'isNegated' | 'isOr'> => {
  const last = tokens.at(-1);
  const before = tokens.at(-2);
  const isRun = last?.isTail === true;
  const isLong = isRun && before?.isPair === true && !before.isTail;
  const words = (isLong ? tokens.slice(0, -1) : tokens).map(({ word }) => word);
  return { words, isPrefix: isRun ? !isLong : isOpen, tail: isLong ? [last.word] : [] };
};

const piecesOf = (typed: string): Piece[] => {
  const found: Piece[] = [];
  let isOr = false;
  for (const match of typed.matchAll(parts)) {
    const [whole, minus, quoted, closing] = match;
    if (whole === 'OR' || whole === '|') {
      isOr = found.length > 0;
      continue;
    }
    const isNegated = quoted === undefined ? whole.startsWith('-') : minus === '-';
    const isLast = match.index + whole.length === typed.length;
    const isOpen = isLast && !isNegated && closing !== '"' && /[\p{L}\p{N}\p{M}]$/u.test(typed);
    const term = termOf(tokensOf(quoted ?? whole), isOpen);
    if (term.words.length === 0) continue;
    found.push({ ...term, isNegated, isOr });
    isOr = false;
  }
  return found;
};

const phrase = (words: string[], isPrefix: boolean): string =>
  words.map((word, index) => `'${word}'${isPrefix && index === words.length - 1 ? ':*' : ''}`).join(' <-> ');

const written = ({ words, isPrefix, isNegated }: Piece): string =>
  `${isNegated ? '!' : ''}(${phrase(words, isPrefix)})`;

/** The query for the best matches: several words side by side, or exactly the one word that is being typed. */
const bestOf = (pieces: Piece[]): string | undefined => {
  const wanted = pieces.filter(({ isNegated }) => !isNegated);
  const [first] = wanted;
  if (first === undefined || pieces.some(({ isOr }) => isOr)) return undefined;
  const refused = pieces.filter(({ isNegated }) => isNegated).map(written);
  if (wanted.length > 1) {
    const last = wanted.at(-1);
    const words = wanted.flatMap((piece) => (piece === last ? piece.words : [...piece.words, ...piece.tail]));
    return [`(${phrase(words, last?.isPrefix === true)})`, ...refused].join(' & ');
  }
  if (!first.isPrefix) return undefined;
  return [`(${phrase(first.words, false)})`, ...refused].join(' & ');
};

/** `two words`, `"a phrase"`, `-without`, `this OR that`; every other sign only parts words. */
export const readWords = (typed: string): Words => {
  const pieces = piecesOf(typed);
  let query = '';
  pieces.forEach((piece, index) => {
    const joint = index === 0 ? '(' : piece.isOr ? ' | ' : ') & (';
    query += joint + written(piece);
  });
  return {
    query: query === '' ? '' : `${query})`,
    best: bestOf(pieces),
    terms: pieces.filter(({ isNegated }) => !isNegated).map(({ words, isPrefix }) => ({ words, isPrefix })),
  };
};
