const letters: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
};

/** Small letters without accents, so that "zoe" finds Zoë. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[łøđðþßæœı]/g, (letter) => letters[letter] ?? letter);

const isWordStart = (text: string, at: number): boolean =>
  at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '');

/** The letters in their order, somewhere in the text: the closer together and the more at the beginnings of words, the better. */
const scattered = (word: string, text: string): number | undefined => {
  let [points, at] = [0, -1];
  for (const letter of word) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return undefined;
    points += next === at + 1 || isWordStart(text, next) ? 2 : 0;
    at = next;
  }
  // Half of the letters at least: otherwise any long text would fit any word.
  return points >= word.length ? points : undefined;
};

const ofWord = (word: string, text: string): number | undefined => {
  const at = text.indexOf(word);
  if (at === 0) return 400;
  for (let start = at; start >= 0; start = text.indexOf(word, start + 1)) {
    if (isWordStart(text, start)) return 300;
  }
  if (at > 0) return 200;
  const points = scattered(word, text);
  return points === undefined ? undefined : Math.min(points, 100);
};

const wordsOf = (typed: string): string[] => fold(typed).split(/\s+/).filter(Boolean);

/** Whether the text has each of the typed words as it is. */
export const hasWords = (typed: string, text: string): boolean => {
  const folded = fold(text);
  return wordsOf(typed).every((word) => folded.includes(word));
};

/** How well a text fits what was typed, each of its words; undefined where it does not. */
export const fitOf = (typed: string, text: string): number | undefined => {
  const folded = fold(text);
  let total = 0;
  for (const word of wordsOf(typed)) {
    const points = ofWord(word, folded);
    if (points === undefined) return undefined;
    total += points;
  }
  // Of two that fit alike, the shorter one is meant more often.
  return total - Math.min(folded.length, 99) / 100;
};
