/** Makes the kit's table of emojis from the data set, so that a product loads what the picker needs and nothing else. */
import emojis from 'emojibase-data/en/data.json' with { type: 'json' };
import github from 'emojibase-data/en/shortcodes/github.json' with { type: 'json' };
import slack from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };

/** Fonts that are in common use draw nothing newer. */
const newest = 15.1;

/** The numbers are the groups of the data set; its group 2 holds parts of emojis, which nobody picks. */
const groups = {
  people: [0, 1],
  nature: [3],
  food: [4],
  activity: [6],
  travel: [5],
  objects: [7],
  symbols: [8],
  flags: [9],
} as const;

type Entry = (typeof emojis)[number];
type Codes = Readonly<Record<string, string | string[]>>;

/** The data set writes a variation selector also where none is needed; two spellings would be counted as two reactions. */
const charOf = ({ emoji }: Entry): string => {
  const bare = emoji.replaceAll('\ufe0f', '');
  return /^\p{RGI_Emoji}$/v.test(bare) ? bare : emoji;
};

/** The first one is the name that is shown and read out, so it begins with a letter (`thumbsup`, not `+1`). */
const codesOf = ({ hexcode }: Entry): string[] => {
  const codes = [slack as Codes, github as Codes].flatMap((given) => given[hexcode] ?? []);
  return [...new Set(codes)].toSorted((a, b) => Number(/^[^a-z]/.test(a)) - Number(/^[^a-z]/.test(b)));
};

/** `char name alias alias,word word`: the words are those that the names do not hold already. */
const lineOf = (entry: Entry): string => {
  const codes = codesOf(entry);
  const named = new Set(codes.flatMap((code) => [code, ...code.split('_')]));
  // A flag is sought by the name of its country, which only its label holds.
  const texts = entry.group === groups.flags[0] ? [...(entry.tags ?? []), entry.label] : (entry.tags ?? []);
  const tags = texts.flatMap((tag) => tag.toLowerCase().split(/[^\p{L}\p{N}+]+/u));
  const words = [...new Set(tags)].filter((word) => word.length > 1 && !named.has(word));
  return [charOf(entry), ...codes].join(' ') + (words.length > 0 ? `,${words.join(' ')}` : '');
};

const isIn = (entry: Entry, numbers: readonly number[]): boolean =>
  entry.group !== undefined && numbers.includes(entry.group) && entry.version <= newest;

export const emojiTable = (): string => {
  const lines = Object.entries(groups).map(([group, numbers]) => {
    const found = emojis.filter((entry) => isIn(entry, numbers));
    const sorted = found.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0));
    return `  ${group}:\n    '${sorted.map(lineOf).join(';')}',\n`;
  });
  return `/** Written by \`npm run emojis\` from emojibase-data: for each emoji its names and, after the comma, words to find it by. */
export const emojiTable = {
${lines.join('')}} as const;
`;
};
