/** Takes the place of the function by which Vite loads chunks; see `fetch-chunks.ts`. */

let isOutdated = false;
const listeners = new Set<() => void>();

/** Whether a file is no longer on the server: the app was deployed anew since this page was loaded, and only a reload helps. */
export const outdated = {
  get: (): boolean => isOutdated,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

/** A server that does not know the file may also send the page itself. */
const isGone = ({ status, headers }: Response): boolean =>
  status === 404 || status === 410 || headers.get('content-type')?.startsWith('text/html') === true;

/** A network that swallows requests never answers, and the browser itself waits for minutes. Counts silence, not size. */
const silenceMs = 10_000;

/** Read to its end, or the browser does not keep it for the import. */
const readAll = async (reply: Response, onBytes: () => void): Promise<void> => {
  const reader = reply.body?.getReader();
  while (reader && !(await reader.read()).done) onBytes();
};

/** The files that were fetched, by address. */
const fetched = new Map<string, Promise<void>>();

const fetchFile = (url: string): Promise<void> => {
  const known = fetched.get(url);
  if (known) return known;
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), silenceMs);
  };
  restart();
  const started = fetch(url, { signal: silence.signal })
    .then(async (reply) => {
      if (isGone(reply)) {
        isOutdated = true;
        for (const listener of listeners) listener();
      }
      if (!reply.ok || isGone(reply)) throw new Error(`${url} answers ${reply.status}`);
      restart();
      await readAll(reply, restart);
    })
    .finally(() => clearTimeout(timer));
  fetched.set(url, started);
  started.catch(() => fetched.delete(url));
  return started;
};

const sheets = new Map<string, Promise<void>>();
/** A link does not say whether bytes come: each try of a sheet that was given up has twice the time, or a slow network never ends one. */
const sheetMs = new Map<string, number>();
const longestSheetMs = 4 * silenceMs;

const addSheet = (url: string): Promise<void> => {
  const known = sheets.get(url);
  if (known) return known;
  if ([...document.styleSheets].some(({ href }) => href === url)) return Promise.resolve();
  const added = new Promise<void>((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = url;
    const failed = () => {
      clearTimeout(timer);
      link.remove();
      sheets.delete(url);
      reject(new Error(`${url} could not be loaded`));
    };
    const limit = sheetMs.get(url) ?? silenceMs;
    const timer = setTimeout(() => {
      sheetMs.set(url, Math.min(longestSheetMs, 2 * limit));
      failed();
    }, limit);
    link.onload = () => {
      clearTimeout(timer);
      resolve();
    };
    link.onerror = failed;
    document.head.append(link);
  });
  sheets.set(url, added);
  return added;
};

const isSheet = (url: string): boolean => url.endsWith('.css');

const cameWithPage = (url: string): boolean =>
  [...document.querySelectorAll<HTMLScriptElement>('script[src]')].some(({ src }) => src === url) ||
  [...document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')].some(({ href }) => href === url);

// The address is not inside `new URL`: the bundler would look for files of the sources there.
const here = import.meta.url;

/** The file of the import itself: Vite names only those that it needs besides. */
const ownFile = /import\(\s*["'`]([^"'`]+)["'`]/;

/**
 * Loads a chunk with its styles. The files are fetched before they are imported: browsers remember a failed import until the page is loaded
 * again, and a sheet that failed would stay out. A fetch that failed is forgotten, so that a later call can succeed.
 */
export const __vitePreload = async <T>(run: () => Promise<T>, needs: readonly string[] = []): Promise<T> => {
  const own = ownFile.exec(String(run))?.[1];
  const files = needs.map((file) => new URL(`/${file}`, here).href);
  if (own !== undefined) files.push(new URL(own, here).href);
  const [styles, scripts] = [
    files.filter(isSheet),
    files.filter((file) => !isSheet(file) && !cameWithPage(file)),
  ];
  await Promise.all([...[...new Set(scripts)].map(fetchFile), ...styles.map(addSheet)]);
  return run();
};
