import type { RouterHistory } from '@tanstack/react-router';
import { expect, test, vi } from 'vitest';
import { createLayerHistory, type HistoryPage } from './layers.ts';

type Kept = { href: string; state: object | null };

/** The entries of a browser, with a router that adds to them; going back arrives a moment later, as in a browser. */
const createPage = (entries: Kept[] = [{ href: '/', state: null }], start = entries.length - 1) => {
  let at = start;
  let pop: Parameters<HistoryPage['onPop']>[0] = () => {};
  const asked: string[] = [];
  const put = (how: 'push' | 'replace', state: object, href = entries[at]?.href ?? '') => {
    if (how === 'push') entries.splice(++at, Number.POSITIVE_INFINITY, { href, state });
    else entries[at] = { href, state };
  };
  const go = (by: number) => {
    setTimeout(() => {
      if (entries[at + by] === undefined) return;
      at += by;
      let isStopped = false;
      pop({ stopImmediatePropagation: () => (isStopped = true) });
      if (!isStopped) asked.push(entries[at]?.href ?? '');
    }, 5);
  };
  const page: HistoryPage = {
    history: {
      get state() {
        return entries[at]?.state ?? null;
      },
      go: (by = 0) => go(by),
    },
    write: put,
    onPop: (listener) => {
      pop = listener;
    },
    later: (act, ms) => void setTimeout(act, ms),
  };
  const router = {
    get location() {
      return { href: entries[at]?.href };
    },
    push: (href: string, state: object) => put('push', state, href),
    replace: (href: string, state: object) => put('replace', state, href),
  } as unknown as RouterHistory;
  vi.useFakeTimers();
  const layerHistory = createLayerHistory(page, router);
  const settle = () => vi.advanceTimersByTime(50);
  settle();
  return {
    ...layerHistory,
    router,
    settle,
    asked,
    back: () => {
      go(-1);
      settle();
    },
    forward: () => {
      go(1);
      settle();
    },
    hrefs: () => entries.map(({ href }) => href),
    at: () => at,
    entries,
  };
};

/** Something that opens over the page, and is gone when it is closed. */
const openLayer = ({ layers }: ReturnType<typeof createPage>) => {
  const layer = { isOpen: true, close: () => {} };
  const release = layers.open(() => {
    layer.isOpen = false;
    release();
  });
  layer.close = () => {
    layer.isOpen = false;
    release();
  };
  return layer;
};

test('W2 Back closes the layer on top, one at a time, and the router is not asked', () => {
  const page = createPage();
  const dialog = openLayer(page);
  const menu = openLayer(page);
  page.settle();

  page.back();
  expect([dialog.isOpen, menu.isOpen]).toEqual([true, false]);
  page.back();
  expect([dialog.isOpen, page.at(), page.asked]).toEqual([false, 0, []]);
});

test('W2 a layer that closes by itself leaves its entry to the next one, and Back goes on over it', () => {
  const page = createPage();
  page.router.push('/c/team/general', {});
  for (let count = 0; count < 20; count += 1) {
    const layer = openLayer(page);
    page.settle();
    layer.close();
    page.settle();
  }

  expect([page.at(), page.entries.length, page.isCovered()]).toEqual([2, 3, false]);
  page.back();
  expect([page.at(), page.asked]).toEqual([0, ['/']]);
});

test('W2 over spare entries Back closes the layer on top', () => {
  const page = createPage();
  page.router.push('/c/team/general', {});
  const [dialog, menu] = [openLayer(page), openLayer(page)];
  page.settle();
  menu.close();
  page.settle();

  page.back();
  expect([dialog.isOpen, page.at(), page.asked]).toEqual([false, 2, []]);
  page.back();
  expect([page.at(), page.asked]).toEqual([0, ['/']]);
});

test('W2 Back closes a layer also in the moment after it opened', async () => {
  const page = createPage();
  page.router.push('/c/team/general', {});
  const layer = openLayer(page);
  await Promise.resolve();
  expect(page.at()).toBe(2);
  page.back();

  expect([layer.isOpen, page.at(), page.asked]).toEqual([false, 1, []]);
});

test('W2 a menu that opens a dialog costs no step of its own', async () => {
  const page = createPage();
  const menu = openLayer(page);
  page.settle();
  menu.close();
  const dialog = openLayer(page);
  await Promise.resolve();
  page.settle();

  expect([page.at(), page.entries.length, dialog.isOpen]).toEqual([1, 2, true]);
});

test('W2 Forward to a layer that is gone shows nothing, and from there, or after a reload, Back goes on', () => {
  const page = createPage();
  page.router.push('/c/team/general', {});
  openLayer(page);
  page.settle();
  page.back();
  page.forward();
  expect([page.at(), page.isCovered(), page.asked]).toEqual([2, false, []]);

  const reloaded = createPage(page.entries, 2);
  reloaded.back();
  expect([reloaded.at(), reloaded.asked]).toEqual([0, ['/']]);
});

test('W2 an address opened from a layer stands on the one below it', () => {
  const page = createPage();
  const [dialog, menu] = [openLayer(page), openLayer(page)];
  page.settle();
  page.router.push('/c/team/general', {});
  for (const layer of [menu, dialog]) layer.close();
  page.settle();

  expect([page.hrefs(), page.at()]).toEqual([['/', '/c/team/general'], 1]);
  page.back();
  expect([page.at(), page.asked]).toEqual([0, ['/']]);
});

test('W2 the address that is open already gets no second entry', () => {
  const page = createPage();
  page.router.push('/c/team/general', {});
  page.router.push('/c/team/general', {});

  expect(page.hrefs()).toEqual(['/', '/c/team/general']);
});

test('W2 closing goes back to the address below if it fits, and otherwise changes the one that is open', () => {
  const page = createPage();
  const otherwise = vi.fn();
  page.router.push('/c/team/general', {});
  page.router.push('/c/team/general?panel=members', {});

  page.leave((under) => under === '/c/team/general', otherwise);
  page.settle();
  expect([page.at(), otherwise.mock.calls.length]).toEqual([1, 0]);
  page.leave((under) => under === '/elsewhere', otherwise);
  page.settle();
  expect([page.at(), otherwise.mock.calls.length]).toEqual([1, 1]);
});

test('W2 an address that is asked for while the browser is on its way waits until it has arrived', () => {
  const page = createPage();
  page.router.push('/c/team/general', {});
  page.router.push('/c/team/general?panel=members', {});
  page.leave(
    () => true,
    () => {},
  );
  page.router.push('/drafts', {});
  page.settle();

  expect([page.hrefs(), page.at()]).toEqual([['/', '/c/team/general', '/drafts'], 2]);
});

test('W2 a layer that does not close keeps its step', () => {
  const page = createPage();
  const close = vi.fn();
  const release = page.layers.open(close);
  page.settle();
  page.back();

  expect([close.mock.calls.length, page.at(), page.isCovered()]).toEqual([1, 1, true]);
  release();
  page.settle();
  expect(page.isCovered()).toBe(false);
});

test('W2 an address is opened although the entry below a layer is missing, as in a tab that was restored', () => {
  const page = createPage([{ href: '/', state: { step: 1, layers: 1 } }]);
  page.router.push('/drafts', {});
  vi.advanceTimersByTime(3000);

  expect([page.hrefs(), page.at()]).toEqual([['/', '/drafts'], 1]);
});

test('W2 the way to the first entry goes over all others, and what is opened there takes their place', () => {
  const page = createPage();
  page.router.push('/c/team/general', {});
  page.router.push('/c/team/random', {});
  const layer = openLayer(page);
  page.settle();
  page.toFirst(() => page.router.replace('/', {}));
  layer.close();
  page.settle();
  expect(page.at()).toBe(0);
  page.router.push('/drafts', {});

  expect(page.hrefs()).toEqual(['/', '/drafts']);
});
