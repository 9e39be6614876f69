import type { UserInput } from '@parley/client';

/** The user of this tab. */
export type Session =
  | { kind: 'user'; id: string; name?: string }
  /** Signed in by a link. */
  | { kind: 'token'; id: string; name?: string; token: string }
  | { kind: 'guest'; id: string; name: string }
  | { kind: 'anonymous' };

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const shelfKey = 'parley.session';

const parse = (text: string | null): Session | undefined => {
  try {
    const value = JSON.parse(text ?? 'null') as Session | null;
    if (value === null) return undefined;
    if (value.kind === 'token' && typeof value.token !== 'string') return undefined;
    return value.kind === 'anonymous' || typeof value.id === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Each tab keeps its own person; a new tab begins with the last one. */
export const createSessionStore = (tab: Shelf, browser: Shelf) => ({
  load: (): Session | undefined => parse(tab.getItem(shelfKey)) ?? parse(browser.getItem(shelfKey)),
  save: (session: Session) => {
    const text = JSON.stringify(session);
    tab.setItem(shelfKey, text);
    browser.setItem(shelfKey, text);
  },
  clear: () => {
    const mine = tab.getItem(shelfKey);
    tab.removeItem(shelfKey);
    if (mine === null || browser.getItem(shelfKey) === mine) browser.removeItem(shelfKey);
  },
});

type Change = Pick<StorageEvent, 'key' | 'oldValue' | 'newValue'>;

/** Whether another tab of the browser has signed this person out. */
export const isEndedBy = ({ key, oldValue, newValue }: Change, session: Session): boolean =>
  key === shelfKey && newValue === null && oldValue === JSON.stringify(session);

export const userOf = (session: Session): UserInput | undefined =>
  session.kind === 'anonymous' ? undefined : { id: session.id, ...(session.name && { name: session.name }) };

/** An id that reads like the name and is nobody else's. */
export const personIdFrom = (name: string, random: () => number): string => {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 30);
  const tail = Math.floor(random() * 36 ** 5)
    .toString(36)
    .padStart(5, '0');
  return `${words === '' ? 'person' : words}-${tail}`;
};
