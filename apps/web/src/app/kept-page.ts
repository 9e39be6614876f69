type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The circumstances in which a page was drawn: in others it would look different. */
type Circumstances = { address: string; language: string; width: number };

/** The elements of a screen as they were drawn. */
export type DrawnPage = Circumstances & {
  html: string;
  dir: string;
  /** The elements that were scrolled, by their place in the page, and how far. */
  scrolled: readonly (readonly [place: number, top: number])[];
};

type Kept = { version: string; at: number; pages: DrawnPage[] };

/** Older ones name days that are over ("Yesterday"). */
const longestMs = 12 * 60 * 60 * 1000;
/** The list and a conversation: with these two most visits begin. */
const most = 2;
/** In characters. A browser gives a site about five million, and drafts and waiting messages need them more. */
const mostText = 400_000;

const keyOf = (userId: string): string => `parley page ${userId}`;

/** The window, as far as a page depends on it. */
type View = {
  location: Pick<Location, 'pathname' | 'search'>;
  navigator: Pick<Navigator, 'language'>;
  innerWidth: number;
};

const circumstancesOf = ({ location, navigator, innerWidth }: View): Circumstances => ({
  address: `${location.pathname}${location.search}`,
  language: navigator.language,
  width: innerWidth,
});

const isSame = (a: Circumstances, b: Circumstances): boolean =>
  a.address === b.address && a.language === b.language && a.width === b.width;

/** Files whose address is signed or lives as long as the page are gone by then; a broken picture is worse than an empty place. */
const passing = /^blob:|\?/;

/** A copy in a document of its own, which loads nothing. */
const copyOf = (root: HTMLElement): HTMLElement => {
  const copy = root.ownerDocument.implementation.createHTMLDocument().importNode(root, true);
  const fields = root.querySelectorAll('textarea');
  for (const [index, field] of copy.querySelectorAll('textarea').entries())
    field.textContent = fields[index]?.value ?? '';
  for (const element of copy.querySelectorAll('[src], [srcset], [poster]'))
    for (const name of ['src', 'srcset', 'poster'])
      if (passing.test(element.getAttribute(name) ?? '')) element.removeAttribute(name);
  // Whether somebody is online is known again only with a connection.
  for (const dot of copy.querySelectorAll('[data-hue] > [role="img"]')) dot.remove();
  return copy;
};

/** How far an element is scrolled; beyond its end for one that shows its end, however high the window is next time. */
const topOf = ({ scrollTop, scrollHeight, clientHeight }: Element): number =>
  scrollTop > 0 && scrollHeight - scrollTop - clientHeight < 2 ? scrollHeight * 2 : Math.round(scrollTop);

/** The page as it is drawn now. */
export const takePage = (view: View, root: HTMLElement): DrawnPage => ({
  ...circumstancesOf(view),
  html: copyOf(root).innerHTML,
  dir: root.ownerDocument.documentElement.dir,
  scrolled: [...root.querySelectorAll('*')].flatMap((element, place) => {
    const top = topOf(element);
    return top > 0 ? [[place, top] as const] : [];
  }),
});

/** Keeps the pages of a user that were drawn last. Each version of the app reads only its own. */
export const createKeptPages = (shelf: Shelf, version: string, now: () => number) => {
  const read = (userId: string): readonly DrawnPage[] => {
    try {
      const kept: Partial<Kept> | null = JSON.parse(shelf.getItem(keyOf(userId)) ?? 'null');
      const isCurrent = kept?.version === version && Math.abs(now() - (kept.at ?? 0)) < longestMs;
      return isCurrent && Array.isArray(kept.pages) ? kept.pages : [];
    } catch {
      return [];
    }
  };
  return {
    /** The page for the place at which the window is opened. */
    find: (userId: string, view: View): DrawnPage | undefined => {
      const here = circumstancesOf(view);
      return read(userId).find((page) => isSame(page, here) && typeof page.html === 'string');
    },
    write: (userId: string, page: DrawnPage): void => {
      const others = read(userId).filter(({ address }) => address !== page.address);
      const pages = [page, ...others].slice(0, most);
      try {
        const text = JSON.stringify({ version, at: now(), pages } satisfies Kept);
        if (text.length <= mostText) shelf.setItem(keyOf(userId), text);
        else shelf.removeItem(keyOf(userId));
      } catch {
        // The storage is full: drafts need it more.
        shelf.removeItem(keyOf(userId));
      }
    },
    remove: (userId: string): void => shelf.removeItem(keyOf(userId)),
  };
};

/** Shows a kept page until the app draws its own. It takes no presses, and screen readers skip it: nothing in it works yet. */
export const showPage = (root: HTMLElement, page: DrawnPage): void => {
  const { ownerDocument: document } = root;
  root.inert = true;
  root.ariaHidden = 'true';
  document.documentElement.dir = page.dir;
  // Elements that this app has drawn itself, from a storage that only it can write.
  root.innerHTML = page.html;
  // By then the styles are there, and nothing is painted yet.
  requestAnimationFrame(() => {
    const elements = root.querySelectorAll('*');
    for (const [place, top] of page.scrolled) {
      const element = elements[place];
      if (element && root.inert) element.scrollTop = top;
    }
  });
};

/** Ends the showing of a kept page, when the app has drawn its own. */
export const endPage = (root: HTMLElement): void => {
  root.inert = false;
  root.ariaHidden = null;
};
