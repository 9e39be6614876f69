import type { UserInput } from '@parley/client';
import { putItem } from './put-item.ts';

/** The user of this tab. */
export type Session =
  | { kind: 'user'; id: string; name?: string }
  /** Signed in by a link. */
  | { kind: 'token'; id: string; name?: string; token: string }
  | { kind: 'guest'; id: string; name: string }
  | { kind: 'anonymous' };

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const shelfKey = 'parley.session';
/** The people who are signed in in this browser: a tab that slept through a sign-out finds it here. */
const signedInKey = 'parley.signed-in';

const parse = (text: string | null): Session | undefined => {
  try {
    const value: Session | null = JSON.parse(text ?? 'null');
    if (value === null) return undefined;
    if (value.kind === 'token' && typeof value.token !== 'string') return undefined;
    return value.kind === 'anonymous' || typeof value.id === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
};

const personOf = (session: Session): string =>
  session.kind === 'anonymous' ? session.kind : `${session.kind} ${session.id}`;

const isText = (value: unknown): value is string => typeof value === 'string';

/** Undefined where nothing was stored, as by a version of before. */
const signedInOf = (text: string | null): string[] | undefined => {
  try {
    const list: unknown = JSON.parse(text ?? 'null');
    return Array.isArray(list) ? list.filter(isText) : undefined;
  } catch {
    return undefined;
  }
};

/** Each tab keeps its own person; a new tab begins with the last one. A sign-out is for all tabs of the same person. */
export const createSessionStore = (tab: Shelf, browser: Shelf) => {
  const signedIn = () => signedInOf(browser.getItem(signedInKey));
  /** The people whose sign-in found no room: that they are not in the list says nothing. */
  const unlisted = new Set<string>();
  const isEnded = (session: Session): boolean =>
    !unlisted.has(personOf(session)) && signedIn()?.includes(personOf(session)) === false;
  const setSignedIn = (session: Session, isIn: boolean) => {
    const person = personOf(session);
    const others = (signedIn() ?? []).filter((other) => other !== person);
    const isStored = putItem(browser, signedInKey, JSON.stringify(isIn ? [...others, person] : others));
    if (isIn && !isStored) unlisted.add(person);
    else unlisted.delete(person);
  };
  const current = (shelf: Shelf): Session | undefined => {
    const session = parse(shelf.getItem(shelfKey));
    return session && !isEnded(session) ? session : undefined;
  };
  return {
    load: (): Session | undefined => {
      const session = current(tab) ?? current(browser);
      // Stored by a version that kept no list: without this the next sign-in of somebody else would end it.
      if (session && signedIn() === undefined) setSignedIn(session, true);
      return session;
    },
    save: (session: Session) => {
      const text = JSON.stringify(session);
      for (const shelf of [tab, browser]) if (!putItem(shelf, shelfKey, text)) shelf.removeItem(shelfKey);
      setSignedIn(session, true);
    },
    /** Signs this person out, and nobody else, also when it is done twice. */
    clear: (session: Session) => {
      for (const shelf of [tab, browser]) {
        const kept = parse(shelf.getItem(shelfKey));
        if (kept && personOf(kept) === personOf(session)) shelf.removeItem(shelfKey);
      }
      setSignedIn(session, false);
    },
    /** Whether a tab of the browser has signed this person out. */
    isEnded,
    /** Whether anybody is signed in in this browser. */
    isInUse: (): boolean => (signedIn() ?? []).length > 0,
  };
};

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
