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

/**
 * Runs the app itself, which is fetched meanwhile. After a kept page is painted: to evaluate the app takes longer on a phone than to
 * paint the page.
 */
export const runApp = async (page: Document, file: string, isKeptShown: boolean): Promise<void> => {
  await styled(page);
  if (isKeptShown) await painted(page);
  const script = page.createElement('script');
  script.type = 'module';
  script.crossOrigin = '';
  script.src = `/${file}`;
  page.head.append(script);
};
