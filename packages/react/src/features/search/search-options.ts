import type { Channel, User } from '@parley/client';
import type { MessageHit, SearchGroupName, SearchState } from '@parley/client/search';

export type SearchOption =
  | { kind: 'message'; key: string; hit: MessageHit }
  | { kind: 'channel'; key: string; channel: Channel }
  | { kind: 'person'; key: string; user: User }
  | { kind: 'more'; key: string; group: SearchGroupName };

export type SearchSection = { group: SearchGroupName; options: readonly SearchOption[] };

/** What can be chosen, group by group, in the order in which the arrow keys walk it. */
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
  // While a filter is being typed, only what can fill it in: what was found before it must not be taken for that.
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

/** Takes a filter's word out of what is typed, or puts the one that is being typed in place. */
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
