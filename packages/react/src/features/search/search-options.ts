import type { Channel, User } from '@parley/client';
import type { MessageHit, SearchGroupName, SearchState } from '@parley/client/search';
import { marksIn } from '../../markdown/inline-marks.ts';

export type SearchOption =
  | { kind: 'message'; key: string; hit: MessageHit }
  | { kind: 'channel'; key: string; channel: Channel }
  | { kind: 'person'; key: string; user: User }
  | { kind: 'more'; key: string; group: SearchGroupName };

export type SearchSection = { group: SearchGroupName; options: readonly SearchOption[] };

/** The options, group by group, in the order of the arrow keys. */
export const sectionsOf = ({ messages, channels, people, parsed }: SearchState): readonly SearchSection[] => {
  const more = (group: SearchGroupName, next: string | undefined): SearchOption[] =>
    next === undefined ? [] : [{ kind: 'more', key: `more-${group}`, group }];
  const sections: SearchSection[] = [
    {
      group: 'people',
      options: [
        ...people.items.map((user) => ({ kind: 'person' as const, key: `person-${user.id}`, user })),
        ...more('people', people.next),
      ],
    },
    {
      group: 'channels',
      options: [
        ...channels.items.map((channel) => ({
          kind: 'channel' as const,
          key: `channel-${channel.cid}`,
          channel,
        })),
        ...more('channels', channels.next),
      ],
    },
    {
      group: 'messages',
      options: [
        ...messages.items.map((hit) => ({ kind: 'message' as const, key: `message-${hit.message.id}`, hit })),
        ...more('messages', messages.next),
      ],
    },
  ];
  // While a filter is being typed, only its values are offered: earlier results must not be mistaken for them.
  const only = parsed.open && (parsed.open.key === 'from' ? 'people' : 'channels');
  return sections.filter(
    ({ group, options }) => options.length > 0 && (only === undefined || group === only),
  );
};

/** The key that an arrow leads to, round the ends. */
export const stepFrom = (
  keys: readonly string[],
  active: string | undefined,
  step: 1 | -1,
): string | undefined => {
  const at = active === undefined ? -1 : keys.indexOf(active);
  if (at < 0) return step === 1 ? keys[0] : keys.at(-1);
  return keys[(at + step + keys.length) % keys.length];
};

/** Removes the word of a filter from the query, or completes the one that is being typed. */
export const withoutToken = (typed: string, token: string): string =>
  typed
    .split(/\s+/)
    .filter((part) => part.toLowerCase() !== token.toLowerCase())
    .join(' ');
export const withToken = (typed: string, token: string): string =>
  `${`${typed.replace(/\s+$/, '')} ${token}`.trimStart()} `;
export const closeToken = (typed: string, token: string): string => `${typed.replace(/\S*$/, '')}${token} `;

type Range = { start: number; end: number };

/** The text from one place to another, without the ranges left out. */
const between = (text: string, { start, end }: Range, leftOut: readonly Range[]): string => {
  let shown = '';
  let at = start;
  for (const range of leftOut) {
    if (range.end <= at || range.start >= end) continue;
    shown += text.slice(at, Math.max(at, range.start));
    at = range.end;
  }
  return shown + text.slice(at, Math.max(at, end));
};

/** The text in pieces without its marks, every second one a match. */
export const piecesOf = (
  text: string,
  matches: readonly Range[],
): { key: number; text: string; isMatch: boolean }[] => {
  const marks = marksIn(text);
  const pieces: { key: number; text: string; isMatch: boolean }[] = [];
  const add = (start: number, end: number, isMatch: boolean) => {
    const shown = between(text, { start, end }, marks);
    if (shown !== '') pieces.push({ key: start, text: shown, isMatch });
  };
  let at = 0;
  for (const { start, end } of matches) {
    add(at, start, false);
    add(start, end, true);
    at = end;
  }
  add(at, text.length, false);
  return pieces;
};
