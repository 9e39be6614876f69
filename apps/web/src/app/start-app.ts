/** Calls back with the element that the app is drawn in, as soon as the page has it. */
export const whenRoot = (page: Document, act: (root: HTMLElement) => void): void => {
  const look = (): boolean => {
    const root = page.getElementById('root');
    if (root) act(root);
    return root !== null;
  };
  if (look()) return;
  const observer = new MutationObserver(() => look() && observer.disconnect());
  observer.observe(page, { childList: true, subtree: true });
};

/** Resolves when the styles of the page are there, or cannot be loaded: rows that are measured before would have other sizes. */
const styled = async (page: Document): Promise<void> => {
  const links = [...page.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];
  await Promise.all(
    links.map((link) => {
      if (link.sheet) return undefined;
      return new Promise((resolve) => {
        for (const type of ['load', 'error']) link.addEventListener(type, resolve, { once: true });
      });
    }),
  );
};

/** Resolves after the next frame is painted; at once in a window that paints none. */
const painted = (page: Document): Promise<void> =>
  new Promise((resolve) => {
    if (page.hidden) return resolve();
    requestAnimationFrame(() => setTimeout(resolve));
  });

/** After this time the page says that the app is late: a kept page looks as if it worked, and an empty one says nothing. */
const lateMs = 10_000;

/** Says that the app is not there yet, with a way to try again. The words are part of the page: nothing else may have come. */
const watchLate = (page: Document, root: HTMLElement, script: HTMLElement): void => {
  const showLate = () => {
    const isDrawn = root.firstChild !== null && !root.inert;
    const late = page.getElementById('late');
    if (isDrawn || !late) return;
    late.hidden = false;
    late.onclick = () => location.reload();
  };
  setTimeout(showLate, lateMs);
  script.addEventListener('error', showLate);
  // One that stops while it starts, for whatever reason.
  addEventListener('error', showLate);
};

/**
 * Runs the app itself, which is fetched meanwhile. After a kept page is painted: to evaluate the app takes longer on a phone than to
 * paint the page.
 */
export const runApp = async (root: HTMLElement, file: string, isKeptShown: boolean): Promise<void> => {
  const { ownerDocument: page } = root;
  const script = page.createElement('script');
  script.type = 'module';
  script.crossOrigin = '';
  script.src = `/${file}`;
  watchLate(page, root, script);
  await styled(page);
  if (isKeptShown) await painted(page);
  page.head.append(script);
};
