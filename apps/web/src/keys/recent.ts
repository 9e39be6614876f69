const shelfKey = 'parley.recent';
const most = 20;

type Shelf = Pick<Storage, 'getItem' | 'setItem'>;
type Kept = { user: string; cids: string[] };

const load = (shelf: Shelf): Partial<Kept> => {
  try {
    return (JSON.parse(shelf.getItem(shelfKey) ?? '{}') ?? {}) as Partial<Kept>;
  } catch {
    return {};
  }
};

/** The conversations that a user opened last in this browser, newest first; none of another user. */
export const recentOf = (shelf: Shelf, user: string): string[] => {
  const kept = load(shelf);
  const cids = Array.isArray(kept.cids) ? kept.cids : [];
  return kept.user === user ? cids.filter((cid) => typeof cid === 'string') : [];
};

export const remember = (shelf: Shelf, user: string, cid: string): void => {
  const cids = [cid, ...recentOf(shelf, user).filter((one) => one !== cid)].slice(0, most);
  shelf.setItem(shelfKey, JSON.stringify({ user, cids } satisfies Kept));
};
