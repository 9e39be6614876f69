/** Prints how long the app takes to open on a slow phone: `npm run opening`. Needs a quiet machine. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from '@parley/testkit/browser';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { startProduct } from './product.ts';

const processor = 4;
const bytesPerSecond = 1_400_000 / 8;
const rounds = Number(process.argv[2] ?? 3);
/** The round trip of a slow 4G network, and the latency of each request by which the tools of Chromium stand for one. */
const latencies = [150, 563];
/** Limits in milliseconds. They hold for the round trip of 150 ms. */
const limits = { cold: { list: 3000, conversation: 4000 }, warm: { list: 1000, conversation: 1000 } };

/** `works`: when the app itself has drawn, also where a page was shown that the device had kept. */
type Opening = { seen: number; works: number; requests: number; bytes: number };
type Start = keyof typeof limits;

declare global {
  interface Window {
    opening?: { seen?: number; works?: number };
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`);

/** A phone shows either the list or a conversation: each is opened by its own address, and is there when its first row is drawn. */
const places = {
  list: { path: '/', row: 'nav a[href^="/c/"]' },
  conversation: { path: '/c/team/general', row: '[role="feed"] article' },
};
type Place = keyof typeof places;

/** Notes when the first row is drawn, and when it is drawn by the app itself. */
const watch = (row: string) => {
  const drawn: { seen?: number; works?: number } = {};
  window.opening = drawn;
  const note = (name: 'seen' | 'works', selector: string) => {
    if (drawn[name] !== undefined || document.querySelector(selector) === null) return;
    requestAnimationFrame(() => {
      drawn[name] ??= performance.now();
    });
  };
  new MutationObserver(() => {
    note('seen', row);
    note('works', `#root:not([inert]) ${row}`);
  }).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['inert'] });
};

const slowDown = async (page: Page, latency: number) => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency, downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond / 2 },
  });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: processor });
};

type Visit = { url: string; latency: number; place: Place };

const open = async (context: BrowserContext, { url, latency, place }: Visit): Promise<Opening> => {
  const page = await context.newPage();
  await page.addInitScript(watch, places[place].row);
  await slowDown(page, latency);
  await page.goto(`${url}${places[place].path}`, { waitUntil: 'commit' });
  await page.waitForFunction(() => window.opening?.works, undefined, { timeout: 60_000 });
  const opening = await page.evaluate(() => {
    const { seen = 0, works = 0 } = window.opening ?? {};
    const entries = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ] as PerformanceResourceTiming[];
    const before = entries.filter(({ startTime }) => startTime <= seen);
    const lines = before.map(({ name, startTime, responseStart, responseEnd, transferSize }) =>
      [name, ...[startTime, responseStart, responseEnd, transferSize].map(Math.round)].join(' '),
    );
    const bytes = before.reduce((sum, { transferSize }) => sum + transferSize, 0);
    return { seen, works, requests: before.length, bytes, lines };
  });
  if (process.env.OPENING_REQUESTS === '1') say(opening.lines.join('\n'));
  // The second visit finds what the first has loaded after the first screen.
  await page.waitForLoadState('networkidle', { timeout: 30_000 }).catch(() => undefined);
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith('parley screen')));
  await page.close();
  return opening;
};

const visit = async (browser: Browser, opened: Visit): Promise<Record<Start, Opening>> => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    serviceWorkers: 'allow',
  });
  const session = JSON.stringify({ kind: 'user', id: 'ana' });
  await context.addInitScript((value) => localStorage.setItem('parley.session', value), session);
  const cold = await open(context, opened);
  const warm = await open(context, opened);
  await context.close();
  return { cold, warm };
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Prints one line, and whether its limit holds. */
const report = ({ latency, place }: Visit, start: Start, openings: readonly Opening[]): boolean => {
  const of = (name: keyof Opening) => Math.round(median(openings.map((opening) => opening[name])));
  const limit = limits[start][place];
  const size = `${of('requests')} requests, ${Math.round(of('bytes') / 1000)} kB`;
  const times = `seen ${of('seen')} ms, works ${of('works')} ms`;
  say(
    `${String(latency).padStart(3)} ms, ${start}, ${place}: ${times}, ${size} ${latency === 150 ? `(at most ${limit})` : ''}`,
  );
  return latency !== 150 || of('seen') <= limit;
};

const folder = mkdtempSync(join(tmpdir(), 'parley-opening-'));
/** A server that runs already with its demo can be named. */
const running = process.env.OPENING_URL;
const product = running ? { url: running, stop: async () => {} } : await startProduct(join(folder, 'data'));
try {
  const found = await ensureBrowser();
  if ('missing' in found) throw new Error(found.missing);
  const browser = await chromium.launch(found);
  let isHeld = true;
  for (const latency of latencies)
    for (const place of ['list', 'conversation'] as const) {
      const opened = { url: product.url, latency, place };
      const visits: Record<Start, Opening>[] = [];
      for (let round = 0; round < rounds; round += 1) visits.push(await visit(browser, opened));
      for (const start of ['cold', 'warm'] as const)
        isHeld =
          report(
            opened,
            start,
            visits.map((one) => one[start]),
          ) && isHeld;
    }
  await browser.close();
  process.exitCode = isHeld ? 0 : 1;
} finally {
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
}
