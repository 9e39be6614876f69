const most = 20;

type Shelf = Pick<Storage, 'getItem' | 'setItem'>;

/** The key ends with the id of the user, by which a sign-out finds it. */
const keyOf = (user: string): string => `parley recent ${user}`;

/** The conversations that a user opened last in this browser, newest first; none of another user. */
export const recentOf = (shelf: Shelf, user: string): string[] => {
  try {
    const kept: unknown = JSON.parse(shelf.getItem(keyOf(user)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((cid) => typeof cid === 'string') : [];
  } catch {
    return [];
  }
};

export const remember = (shelf: Shelf, user: string, cid: string): void => {
  const cids = [cid, ...recentOf(shelf, user).filter((one) => one !== cid)].slice(0, most);
  try {
    shelf.setItem(keyOf(user), JSON.stringify(cids));
  } catch {
    // A storage that is full or forbidden remembers none.
  }
};
