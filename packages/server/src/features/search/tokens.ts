/** A word of a text as the index knows it, and where it stands in the text, in UTF-16 units. */
export type Token = {
  word: string;
  start: number;
  end: number;
  /** Whether it is from a script that is written without spaces: two characters of a run, or its last one alone. */
  isPair: boolean;
  /** The last character of such a run. */
  isTail: boolean;
};

/** PostgreSQL knows no positions beyond this one. */
const mostTokens = 16_383;
/** Longer words are known by their beginning. */
const mostLength = 64;

const isAscii = /^[\p{ASCII}]*$/u;
const asciiWord = /[a-z0-9]+/g;
const coarse = /[\p{L}\p{N}\p{M}]+|\p{RI}\p{RI}|\p{Extended_Pictographic}/gu;
const runScripts = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々`;
const pieces = new RegExp(String.raw`([${runScripts}]+)|[[\p{L}\p{N}\p{M}]--[${runScripts}]]+`, 'gv');

/** Accents, vowel points and the like. Marks that make another letter, as in kana or Devanagari, stay. */
const accents = /[\p{Mn}--[\u0900-\u1aaf\u3000-\u30ff\ua800-\uabff]]/gv;
const letters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
  ـ: '',
};
const oddLetters = /[ßæœøłđðþħıςـ]/g;

/** A word without case, accents and forms of width, so that words that a reader takes for the same are equal. */
const fold = (word: string): string =>
  word
    .normalize('NFKD')
    .toLowerCase()
    .replace(accents, '')
    .normalize('NFC')
    .replace(oddLetters, (letter) => letters[letter] ?? letter);

const cut = (word: string): string =>
  word.length <= mostLength ? word : word.slice(0, mostLength).toWellFormed();

const ofAscii = (text: string): Token[] => {
  const found: Token[] = [];
  for (const { 0: word, index } of text.toLowerCase().matchAll(asciiWord)) {
    if (found.length >= mostTokens) break;
    found.push({ word: cut(word), start: index, end: index + word.length, isPair: false, isTail: false });
  }
  return found;
};

/** Every character of a run with the one after it, so that any part of a sentence can be found. */
const pairsOf = (run: string): { word: string; at: number; isTail: boolean }[] => {
  const characters = Array.from(run);
  let at = 0;
  return characters.map((character, index) => {
    const begin = at;
    at += character.length;
    const next = characters[index + 1];
    return { word: character + (next ?? ''), at: begin, isTail: next === undefined };
  });
};

/** The words of a text in the order in which they stand. */
export const tokensOf = (text: string): Token[] => {
  if (isAscii.test(text)) return ofAscii(text);
  const found: Token[] = [];
  for (const { 0: rough, index: start } of text.matchAll(coarse)) {
    if (found.length >= mostTokens) break;
    const folded = fold(rough);
    // Where folding moved characters, the whole word is where it stands.
    const isMoved = folded.length !== rough.length;
    const whole = { start, end: start + rough.length };
    const place = (at: number, length: number) =>
      isMoved ? whole : { start: start + at, end: start + at + length };
    const matches = [...folded.matchAll(pieces)];
    // A sign such as an emoji is a word of its own; of a mark that stands alone nothing is left.
    if (matches.length === 0 && folded !== '')
      found.push({ word: folded, ...whole, isPair: false, isTail: false });
    for (const { 0: piece, 1: run, index } of matches) {
      if (run === undefined)
        found.push({ word: cut(piece), ...place(index, piece.length), isPair: false, isTail: false });
      else
        for (const { word, at, isTail } of pairsOf(run))
          found.push({ word, ...place(index + at, word.length), isPair: true, isTail });
    }
  }
  return found.slice(0, mostTokens);
};

/** PostgreSQL keeps at most this many places of a word. */
const mostPlaces = 255;

/** Marks of a message besides its words. No word of a text has this character. */
export const linkMark = '#link';
export const fileMark = '#file';

const link = /https?:\/\//i;

/** A message as a tsvector. */
export const wordsOf = (text: string, hasFile: boolean): string => {
  const places = new Map<string, number[]>();
  let place = 0;
  for (const { word } of tokensOf(text)) {
    place += 1;
    const known = places.get(word);
    if (known === undefined) places.set(word, [place]);
    else if (known.length < mostPlaces) known.push(place);
  }
  const words = [...places].map(([word, at]) => `'${word}':${at.join(',')}`);
  if (link.test(text)) words.push(`'${linkMark}'`);
  if (hasFile) words.push(`'${fileMark}'`);
  return words.join(' ');
};
