import { type ParleyClient, toCid } from '@parley/client';
import type { Shelf } from '../app/address.ts';

const linksIn = (page: Document): Element[] => [...page.querySelectorAll('nav a[href^="/c/"]')];

/** The conversations as they are drawn: in the order of the list, with its pins, as far as it is loaded. */
export const listedCids = (page: Document): string[] =>
  linksIn(page).map((link) => {
    const [type = '', id = ''] = (link.getAttribute('href') ?? '')
      .split('/')
      .slice(2)
      .map(decodeURIComponent);
    return toCid(type, id);
  });

/** The next one that fits, in one direction; at the end of the list there is none. */
export const neighbourOf = (
  cids: readonly string[],
  here: string | undefined,
  by: 1 | -1,
  fits: (cid: string) => boolean = () => true,
): string | undefined => {
  const at = here === undefined ? -1 : cids.indexOf(here);
  if (by === 1) return cids.slice(at + 1).find(fits);
  return (at < 0 ? cids : cids.slice(0, at)).findLast(fits);
};

export const hasUnread = (client: ParleyClient, cid: string): boolean =>
  (client.channels.state(cid).get()?.unread ?? 0) > 0;

type Counted = { unread: number; channel: { muted?: boolean | undefined } };

/**
 * True while unread messages may be in conversations of a list that are not loaded. Muted and hidden ones are in no total, and those of
 * the archive are in its own list.
 */
export const isUnreadBelow = (
  loaded: readonly Counted[],
  unread: { total: number; archived: number },
  shelf: Shelf | undefined,
): boolean => {
  const all = { archived: unread.archived, hidden: 0, chats: unread.total - unread.archived };
  const known = loaded.reduce((sum, { unread: count, channel }) => sum + (channel.muted ? 0 : count), 0);
  return known < all[shelf ?? 'chats'];
};

/** The longest wait for the next page of the list. */
const mostMs = 5000;

/** Brings the end of the list into view, where its next page is loaded. False if there is none. */
export const loadOn = (page: Document): Promise<boolean> => {
  const last = linksIn(page).at(-1);
  const list = last?.parentElement;
  const end = list?.lastElementChild;
  if (!list || !end || end === last) return Promise.resolve(false);
  return new Promise((resolve) => {
    const stop = (hasCome: boolean) => {
      clearTimeout(timer);
      observer.disconnect();
      resolve(hasCome);
    };
    const observer = new MutationObserver(() => linksIn(page).at(-1) !== last && stop(true));
    observer.observe(list, { childList: true });
    const timer = setTimeout(stop, mostMs, false);
    end.scrollIntoView({ block: 'end' });
  });
};
