import { fitOf, hasWords } from './fuzzy.ts';

/** One entry of the switcher. */
export type Entry = {
  key: string;
  group: EntryGroup;
  title: string;
  imageUrl?: string | undefined;
  /** The key of the person whose place a direct conversation takes. */
  inPlaceOf?: string | undefined;
  act: () => void;
};

export type EntryGroup = 'recent' | 'conversations' | 'people' | 'actions';

export type EntrySection = { group: EntryGroup; entries: readonly Entry[] };

const mostRecent = 8;
const mostFound = 12;

const groups = ['recent', 'conversations', 'people', 'actions'] as const;

const sections = (entries: readonly Entry[]): EntrySection[] =>
  groups
    .map((group) => ({ group, entries: entries.filter((entry) => entry.group === group) }))
    .filter((section) => section.entries.length > 0);

/** The entries before a word is typed: the conversations that were open last, without the one that is open now, and the actions. */
const atFirst = (
  entries: readonly Entry[],
  recent: readonly string[],
  here: string | undefined,
): EntrySection[] => {
  const conversations = entries.filter(({ group, key }) => group === 'conversations' && key !== here);
  const placeOf = ({ key }: Entry) => {
    const at = recent.indexOf(key);
    return at < 0 ? recent.length : at;
  };
  const latest = conversations.toSorted((a, b) => placeOf(a) - placeOf(b)).slice(0, mostRecent);
  return sections([
    ...latest.map((entry) => ({ ...entry, group: 'recent' as const })),
    ...entries.filter(({ group }) => group === 'actions'),
  ]);
};

/** The entries to show for what is typed; of those that fit alike, the one that was open last comes first. */
export const sectionsOf = (
  entries: readonly Entry[],
  typed: string,
  recent: readonly string[],
  here: string | undefined,
): EntrySection[] => {
  if (typed.trim() === '') return atFirst(entries, recent, here);
  const rank = ({ key }: Entry) => (recent.includes(key) ? (recent.length - recent.indexOf(key)) / 1000 : 0);
  const found = entries
    .flatMap((entry) => {
      const fit = fitOf(typed, entry.title);
      return fit === undefined ? [] : [{ entry, points: fit + rank(entry) }];
    })
    .toSorted((a, b) => b.points - a.points)
    .map(({ entry }) => entry);
  const shown = groups.flatMap((group) => found.filter((entry) => entry.group === group).slice(0, mostFound));
  const best = found[0]?.group;
  // Enter chooses the first entry: it has to be the one that fits best.
  return sections(shown).toSorted((a, b) => Number(b.group === best) - Number(a.group === best));
};

/** The chosen entry: the one of this key while it is shown, and otherwise the first. */
export const chosenOf = (shown: readonly Entry[], key: string | undefined): Entry | undefined =>
  shown.find((entry) => key !== undefined && [entry.key, entry.inPlaceOf].includes(key)) ?? shown[0];

/** The key that stays chosen while more is found: the first entry, unless it only has the letters somewhere and a better one may come. */
export const keptKey = (typed: string, chosen: Entry | undefined): string | undefined =>
  chosen && typed.trim() !== '' && hasWords(typed, chosen.title) ? chosen.key : undefined;
