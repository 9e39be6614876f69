import { otherNames } from './emoji-names.ts';
import { emojiTable } from './emoji-table.ts';

export type EmojiGroup = keyof typeof emojiTable;
/** `codes` are the names in `:name:`, `words` all words of the search. */
export type Emoji = { char: string; name: string; codes: readonly string[]; words: readonly string[] };

const others = new Map(
  otherNames.split(';').map((line) => {
    const [char = '', ...names] = line.trim().split(' ');
    return [char, names];
  }),
);

const parse = (line: string): Emoji => {
  const [head = '', tags = ''] = line.split(',');
  const [char = '', name = '', ...more] = head.split(' ');
  const codes = [name, ...more, ...(others.get(char) ?? [])];
  const words = new Set([...codes, ...codes.flatMap((code) => code.split(/[_-]/)), ...tags.split(' ')]);
  return { char, name, codes, words: [...words] };
};

export const emojiGroups = Object.entries(emojiTable).map(([group, lines]) => ({
  group: group as EmojiGroup,
  emojis: lines.split(';').map(parse),
}));

const all = emojiGroups.flatMap(({ emojis }) => emojis);

/** Names that people of this product have typed for another emoji than the data set gives them. */
const kept: Readonly<Record<string, string>> = {
  angel: '😇',
  cool: '😎',
  kiss: '😘',
  cake: '🎂',
  pencil: '✏️',
};

/** The emoji of `:name:`. */
export const emojiNamed = (typed: string): Emoji | undefined => {
  const name = typed.toLowerCase();
  const char = Object.hasOwn(kept, name) ? kept[name] : undefined;
  if (char !== undefined) return all.find((emoji) => emoji.char === char);
  return all.find((emoji) => emoji.name === name) ?? all.find(({ codes }) => codes.includes(name));
};

const rankOf = ({ name, codes, words }: Emoji, sought: string): number => {
  if (name === sought) return 1;
  if (codes.includes(sought)) return 2;
  if (name.startsWith(sought)) return 3;
  if (words.includes(sought)) return 4;
  return codes.some((code) => code.startsWith(sought)) ? 5 : 6;
};

/** Emojis of which every word sought begins a word: those with the name itself first, then in the order of the picker. */
export const findEmojis = (query: string, most: number): readonly Emoji[] => {
  const sought = query.toLowerCase().trim().replaceAll(/\s+/g, '_');
  if (sought === '') return [];
  const parts = sought.split('_').filter((part) => part !== '');
  const isFound = ({ words }: Emoji): boolean =>
    words.some((word) => word.startsWith(sought)) ||
    (parts.length > 0 && parts.every((part) => words.some((word) => word.startsWith(part))));
  const exact = emojiNamed(sought);
  const ranked = all
    .filter(isFound)
    .map((emoji) => ({ emoji, rank: emoji === exact ? 0 : rankOf(emoji, sought) }));
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ emoji }) => emoji);
};
