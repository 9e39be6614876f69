import type { Screen } from '@parley/client/channels';

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A screen with the version of the app that stored it. */
type Kept = { version: string; at: number; screen: Screen };

/** Older than this, the log of the days between would take longer than a fresh page. */
const longestMs = 3 * 24 * 60 * 60 * 1000;
/** The longest text, in characters. A browser gives a site about five million, and drafts and waiting messages need them more. */
const mostText = 600_000;

const keyOf = (userId: string): string => `parley screen ${userId}`;

/** Whether a user is online is known again only with a connection. */
const withoutPresence = function (this: object, key: string, value: unknown): unknown {
  return key === 'online' && 'role' in this ? undefined : value;
};

/** Keeps the last screen of a user in the storage of the browser. Each version of the app reads only its own. */
export const createKeptShelf = (shelf: Shelf, version: string, now: () => number) => ({
  read: (userId: string): Screen | undefined => {
    try {
      const kept: Partial<Kept> | null = JSON.parse(shelf.getItem(keyOf(userId)) ?? 'null');
      // A clock that was put back must not keep it for longer.
      const isCurrent = kept?.version === version && Math.abs(now() - (kept.at ?? 0)) < longestMs;
      const screen = isCurrent ? kept?.screen : undefined;
      const isWhole = Array.isArray(screen?.cids) && Array.isArray(screen?.channels);
      return isWhole && screen?.me.id === userId ? screen : undefined;
    } catch {
      return undefined;
    }
  },
  write: (screen: Screen): void => {
    const { id } = screen.me;
    try {
      const text = JSON.stringify({ version, at: now(), screen } satisfies Kept, withoutPresence);
      if (text.length <= mostText) shelf.setItem(keyOf(id), text);
      else shelf.removeItem(keyOf(id));
    } catch {
      // The storage is full: half a screen would be of no use.
      shelf.removeItem(keyOf(id));
    }
  },
  remove: (userId: string): void => shelf.removeItem(keyOf(userId)),
});
