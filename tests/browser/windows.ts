import type { Browser, BrowserContext, Page } from '@playwright/test';

/** A browser of somebody's own, with one page, and how many sockets that has open. */
export type Window = { page: Page; context: BrowserContext; sockets: () => number };

export type WindowOptions = Parameters<Browser['newContext']>[0];

/** Opened once and lent from journey to journey: a new one costs twice the processor time of our app in it. */
const free = new WeakMap<Browser, Window[]>();
const mostFree = 3;

// Calls whose effect stays when the page goes to another address.
const lastingOnPage = [
  'addInitScript',
  'close',
  'emulateMedia',
  'exposeBinding',
  'exposeFunction',
  'on',
  'route',
  'routeWebSocket',
  'setViewportSize',
] as const;
const lastingOnContext = [
  'addInitScript',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'newCDPSession',
  'on',
  'route',
  'routeWebSocket',
  'setGeolocation',
  'setOffline',
] as const;

/** Wraps these methods of one object, so that each calls `note` first. */
const watch = <Name extends string>(
  target: Record<Name, (...args: never[]) => unknown>,
  names: readonly Name[],
  note: () => void,
): void => {
  for (const name of names) {
    const method = target[name].bind(target);
    target[name] = (...args) => {
      note();
      return method(...args);
    };
  }
};

/** An address of the same origin without the app: whoever was signed in is gone from the page. */
const outside = '/healthz';

const clean = async ({ context, page }: Window): Promise<void> => {
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.goto(outside);
  await context.clearCookies();
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
};

const listOf = (browser: Browser): Window[] => {
  const list = free.get(browser) ?? [];
  free.set(browser, list);
  return list;
};

const open = async (browser: Browser, options?: WindowOptions): Promise<Window> => {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  let sockets = 0;
  page.on('websocket', (socket) => {
    sockets++;
    socket.on('close', () => sockets--);
  });
  await page.goto(outside);
  return { page, context, sockets: () => sockets };
};

const lend = async (browser: Browser): Promise<Window> => {
  const kept = listOf(browser).pop();
  if (kept !== undefined) return kept;
  const window = await open(browser);
  const { page, context } = window;
  const close = context.close.bind(context);
  let isChanged = false;
  const change = () => {
    isChanged = true;
  };
  watch(page, lastingOnPage, change);
  watch(page.clock, ['install'], change);
  watch(context, lastingOnContext, change);
  context.close = async () => {
    if (isChanged || listOf(browser).length >= mostFree) return close();
    await clean(window);
    listOf(browser).push(window);
  };
  return window;
};

/**
 * A window in which nobody is signed in, at an address outside the app. Without options of its own it may have been
 * used before: closing its context keeps it, unless a journey has done to it what the next would feel.
 */
export const openWindow = (browser: Browser, options?: WindowOptions): Promise<Window> =>
  options === undefined ? lend(browser) : open(browser, options);
