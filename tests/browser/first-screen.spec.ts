import { expect, type Page, test } from '@playwright/test';
import { leave, openConversation, signIn } from './people.ts';

type Fetched = { name: string; startTime: number; transferSize: number };
declare global {
  interface Window {
    drawnAt?: number;
    pinPlaces?: number[];
  }
}

/** Notes when the first message is drawn. */
const watchForMessage = () => {
  const look = () => {
    if (window.drawnAt === undefined && document.querySelector('[role="article"], article') !== null)
      window.drawnAt = performance.now();
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
};

/** Notes where the first button of the header is, in every frame. */
const watchHeader = () => {
  const places: number[] = [];
  window.pinPlaces = places;
  const look = () => {
    const pins = document.querySelector('#root:not([inert]) main header [aria-label="Pinned messages"]');
    if (pins) places.push(Math.round(pins.getBoundingClientRect().x));
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
};

const fetchedBeforeDrawn = async (page: Page): Promise<Fetched[]> => {
  await page.waitForFunction(() => window.drawnAt !== undefined);
  return page.evaluate(() => {
    const entries = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ];
    return (entries as PerformanceResourceTiming[])
      .filter(({ startTime }) => startTime <= (window.drawnAt ?? 0))
      .map(({ name, startTime, transferSize }) => ({ name, startTime, transferSize }));
  });
};

const sizeOf = (list: readonly Fetched[]): number =>
  list.reduce((sum, { transferSize }) => sum + transferSize, 0);

test('protocol 1 a conversation is drawn after at most 15 requests and 60 kB of JSON', async ({
  browser,
}) => {
  const first = await signIn(browser, /Ana Ribeiro/);
  await openConversation(first.page, 'general');
  const address = first.page.url();
  const page = await first.context.newPage();
  const session = await first.page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  await first.page.close();
  await page.addInitScript((kept) => {
    for (const [key, value] of Object.entries(JSON.parse(kept) as Record<string, string>))
      sessionStorage.setItem(key, value);
  }, session);
  // Nothing is kept, as at the first visit of a browser.
  await page.addInitScript(() => {
    for (const kept of ['parley screen ana', 'parley page ana']) localStorage.removeItem(kept);
  });
  await page.addInitScript(watchForMessage);
  const cdp = await first.context.newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });

  await page.goto(address);
  const fetched = await fetchedBeforeDrawn(page);

  const json = fetched.filter(({ name }) => new URL(name).pathname.startsWith('/api/'));
  const said = fetched.map(({ name, transferSize }) => `${new URL(name).pathname} ${transferSize}`);
  expect(json.length).toBeGreaterThan(1);
  expect(said.length, said.join('\n')).toBeLessThanOrEqual(15);
  expect(sizeOf(json)).toBeLessThan(60_000);
  await leave(first);
});

test('protocol 1 parts outside the first screen load after it: header tools and a whole page of each conversation', async ({
  browser,
}) => {
  const ana = await signIn(browser, /Ana Ribeiro/);
  const general = await ana.page.context().newPage();
  await general.addInitScript(watchHeader);
  await general.goto('/c/team/general');
  await expect(general.getByRole('button', { name: 'Conversation actions' })).toBeVisible();
  // No button of the header moves when others come: a press would hit the wrong one.
  const places = await general.evaluate(() => window.pinPlaces ?? []);
  expect(new Set(places).size).toBe(1);
  await general.close();
  const asked: string[] = [];
  ana.page.on('requestfinished', (request) => {
    if (request.method() === 'POST') asked.push(new URL(request.url()).pathname);
  });
  await ana.page.reload();

  await expect.poll(() => asked.filter((path) => path.endsWith('/team/random/query')).length).toBe(1);
  await expect.poll(() => asked.includes('/api/drafts/query')).toBe(true);
  await ana.page.context().setOffline(true);
  await openConversation(ana.page, 'random');
  // One page and what the list had, without a network.
  await expect.poll(() => ana.page.getByRole('article').count()).toBeGreaterThan(5);
  await ana.page.context().setOffline(false);
  await leave(ana);
});
