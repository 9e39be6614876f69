type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The circumstances in which a page was drawn: in others it would look different. */
type Circumstances = { address: string; language: string; width: number };

/** The elements of a screen as they were drawn. */
export type DrawnPage = Circumstances & {
  /** In place of `style` the elements have `data-kept-style`, and those that were scrolled have `data-kept-top`. */
  html: string;
  dir: string;
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

/** How far an element is scrolled; beyond its end for one that shows its end, however high the window is next time. */
const topOf = (element: Element): number => {
  const { scrollTop } = element;
  // Each of these numbers asks for the layout anew, and of a thousand elements one or two are scrolled.
  if (scrollTop <= 0) return 0;
  const { scrollHeight, clientHeight } = element;
  return scrollHeight - scrollTop - clientHeight < 2 ? scrollHeight * 2 : Math.round(scrollTop);
};

/** Notes on the copy of an element what its HTML does not say, or says in a way that a strict content policy forbids. */
const note = (copied: Element, drawn: Element): void => {
  const style = drawn.getAttribute('style');
  const top = topOf(drawn);
  if (style !== null) {
    copied.setAttribute('data-kept-style', style);
    copied.removeAttribute('style');
  }
  if (top > 0) copied.setAttribute('data-kept-top', String(top));
  if (drawn instanceof HTMLTextAreaElement) copied.textContent = drawn.value;
};

/** A copy in a document of its own, which loads nothing. */
const copyOf = (root: HTMLElement): HTMLElement => {
  const copy = root.ownerDocument.implementation.createHTMLDocument().importNode(root, true);
  const copied = [...copy.querySelectorAll('*')];
  // The places are the same only until something is removed from the copy.
  for (const [place, drawn] of root.querySelectorAll('*').entries()) {
    const element = copied[place];
    if (element) note(element, drawn);
  }
  for (const element of copy.querySelectorAll('[src], [srcset], [poster]'))
    for (const name of ['src', 'srcset', 'poster'])
      if (passing.test(element.getAttribute(name) ?? '')) element.removeAttribute(name);
  // Whether somebody is online is known again only with a connection.
  for (const dot of copy.querySelectorAll('[data-hue] > [role="img"]')) dot.remove();
  return copy;
};

/** The page as it is drawn now. */
export const takePage = (view: View, root: HTMLElement): DrawnPage => ({
  ...circumstancesOf(view),
  html: copyOf(root).innerHTML,
  dir: root.ownerDocument.documentElement.dir,
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

/** Elements that load or run something by themselves. The app draws none of them. */
const active = 'script, style, link, meta, base, iframe, object, embed';

/** The elements of a kept page, without anything that could run: what got into the storage once must not run at every visit. */
const elementsOf = (document: Document, html: string): Node[] => {
  const { body } = document.implementation.createHTMLDocument();
  body.innerHTML = html;
  for (const element of body.querySelectorAll(active)) element.remove();
  for (const element of body.querySelectorAll('*'))
    for (const name of element.getAttributeNames()) if (name.startsWith('on')) element.removeAttribute(name);
  return [...body.childNodes];
};

/** Shows a kept page until the app draws its own. It takes no presses, and screen readers skip it: nothing in it works yet. */
export const showPage = (root: HTMLElement, page: DrawnPage): void => {
  const { ownerDocument: document } = root;
  root.replaceChildren(...elementsOf(document, page.html));
  root.inert = true;
  root.ariaHidden = 'true';
  document.documentElement.dir = page.dir;
  for (const element of root.querySelectorAll<HTMLElement>('[data-kept-style]'))
    element.style.cssText = element.dataset.keptStyle ?? '';
  // By then the styles are there, and nothing is painted yet.
  requestAnimationFrame(() => {
    if (!root.inert) return;
    for (const element of root.querySelectorAll<HTMLElement>('[data-kept-top]'))
      element.scrollTop = Number(element.dataset.keptTop);
  });
};

/** Ends the showing of a kept page, and of the words about an app that is late, when the app has drawn its own. */
export const endPage = (root: HTMLElement): void => {
  root.inert = false;
  root.ariaHidden = null;
  root.ownerDocument.getElementById('late')?.setAttribute('hidden', '');
};
