import type { Session } from './session.ts';

type Shelf = Pick<Storage, 'length' | 'key' | 'removeItem'>;

/** Kept when nobody is signed in: settings of the device, and the list of those who are. */
const ofDevice = ['parley.theme', 'parley device', 'parley.signed-in'];

const keysOf = (shelf: Shelf): string[] =>
  Array.from({ length: shelf.length }, (_, index) => shelf.key(index) ?? '');

/**
 * Removes everything that a person left in the storage of the browser, such as drafts and the last reminder. Where others are
 * still signed in, only what carries the person's id.
 */
export const forgetPerson = (session: Session, shelf: Shelf, othersRemain: boolean): void => {
  const id = session.kind === 'anonymous' ? undefined : session.id;
  for (const key of keysOf(shelf)) {
    if (!key.startsWith('parley') || ofDevice.includes(key)) continue;
    if (!othersRemain || (id !== undefined && key.split(' ').includes(id))) shelf.removeItem(key);
  }
};
