/** The part of the address after the path. */
export type Address = {
  /** The message at which the conversation or the thread begins. */
  m?: string;
  thread?: string;
  panel?: string;
  /** The words of the search; it is open while they are there, even if there are none yet. */
  q?: string;
  /** The list in the sidebar, other than the chats. */
  list?: Shelf;
  locale?: string;
};

/** Where one has put a conversation for oneself. */
export type Shelf = 'archived' | 'hidden';

const keys = ['m', 'thread', 'panel', 'q', 'list', 'locale'] as const;

const isShelf = (value: unknown): value is Shelf => value === 'archived' || value === 'hidden';

const isGood = (key: string, value: unknown): boolean => {
  if (key === 'list') return isShelf(value);
  return typeof value === 'string' && (value !== '' || key === 'q');
};

/** Leaves out what the app does not know. */
export const readAddress = (given: Record<string, unknown>): Address =>
  Object.fromEntries(
    keys.map((key) => [key, given[key]] as const).filter(([key, value]) => isGood(key, value)),
  );

/** The parts of the sidebar and of the whole app stay when another conversation is opened. */
export const sidebarOf = ({ q, list, locale }: Address): Address => ({
  ...(q !== undefined && { q }),
  ...(list !== undefined && { list }),
  ...(locale !== undefined && { locale }),
});

export const without = (address: Address, ...names: (keyof Address)[]): Address =>
  Object.fromEntries(Object.entries(address).filter(([key]) => !names.some((name) => name === key)));

/**
 * True when one address is the other without these parts. The message at which a conversation began does not count:
 * the reader is somewhere else by now.
 */
export const isSameBut = (under: string, current: string, ...names: (keyof Address)[]): boolean => {
  const bare = (href: string, ...gone: string[]) => {
    const { pathname, searchParams } = new URL(href, 'http://app');
    for (const name of ['m', ...gone]) searchParams.delete(name);
    searchParams.sort();
    return `${pathname}?${searchParams}`;
  };
  return bare(under) === bare(current, ...names);
};

export const pathOf = (href: string): string => new URL(href, 'http://app').pathname;
