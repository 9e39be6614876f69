import type { Channel, User } from '@parley/client';
import type { MessageHit, SearchGroupName, SearchState } from '@parley/client/search';

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

/** The text in pieces, every second one a match. */
export const piecesOf = (
  text: string,
  matches: readonly { start: number; end: number }[],
): { key: number; text: string; isMatch: boolean }[] => {
  const pieces: { key: number; text: string; isMatch: boolean }[] = [];
  let at = 0;
  for (const { start, end } of matches) {
    if (start > at) pieces.push({ key: at, text: text.slice(at, start), isMatch: false });
    pieces.push({ key: start, text: text.slice(start, end), isMatch: true });
    at = end;
  }
  if (at < text.length) pieces.push({ key: at, text: text.slice(at), isMatch: false });
  return pieces;
};
