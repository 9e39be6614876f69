/** Prints the longest frame of each step in a conversation of 5 000 messages: `npm run frames`. Needs a quiet machine. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from '@parley/testkit/browser';
import { type Browser, chromium } from '@playwright/test';
import { filesIn } from './files.ts';
import { desktopSteps, phoneSteps, type Step, type Walk } from './frame-steps.ts';
import { longestFrame, watchFrames } from './frame-times.ts';
import { asServer, fresh } from './people.ts';
import { startProduct } from './product.ts';
import { seedStory } from './story.ts';

const rounds = Number(process.argv[2] ?? 3);
const limitMs = 50;
const count = 5000;
// A server that runs already may have channels of an earlier measurement.
const id = `frames-${Date.now().toString(36)}`;

const say = (line: string) => process.stdout.write(`${line}\n`);

const prepare = async (): Promise<void> => {
  await seedStory({ id, name: 'Long story', count, readUpTo: { ana: count, bo: count } });
  const photos = await filesIn(`${id}-photos`, 'Photos');
  await photos.sendImages('Harbour', [800, 600], [600, 800], [900, 500]);
};

/** Every walk ends the conversation anew: the one before has filled it with messages. */
const seedEnd = async (): Promise<Pick<Walk, 'asked' | 'last'>> => {
  const end = { asked: fresh('Who is coming?'), last: fresh('The last line') };
  const send = (by: string, text: string, more = {}) =>
    asServer().messages.send(`team:${id}`, by, { text, ...more });
  const asked = await send('ana', end.asked);
  for (let reply = 1; reply <= 20; reply += 1) await send('bo', `Reply ${reply}`, { parent_id: asked.id });
  await send('ana', end.last);
  return end;
};

type Device = { name: string; steps: (walk: Walk) => Step[]; options: Parameters<Browser['newContext']>[0] };
const devices: Device[] = [
  { name: 'desktop', steps: desktopSteps, options: { viewport: { width: 1280, height: 800 } } },
  {
    name: 'phone',
    steps: phoneSteps,
    options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  },
];

/** Everything for the first time in a page of its own: code that has run before is faster. */
const walk = async (browser: Browser, url: string, device: Device): Promise<Map<string, number>> => {
  const end = await seedEnd();
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', ...device.options });
  const session = JSON.stringify({ kind: 'user', id: 'ana' });
  await context.addInitScript((value) => localStorage.setItem('parley.session', value), session);
  await context.addInitScript(watchFrames);
  const page = await context.newPage();
  await page.goto(`/c/team/${id}-photos`);
  await page.getByRole('feed').waitFor();
  // Popups load when the first screen is complete.
  await page.waitForLoadState('networkidle');
  const cdp = await context.newCDPSession(page);
  const times = new Map<string, number>();
  for (const { name, act, close } of device.steps({ page, id, ...end })) {
    const ms = await longestFrame(page, cdp, act);
    process.stderr.write(`… ${device.name} ${name} ${ms.toFixed(0)} ms\n`);
    times.set(name, ms);
    await close?.();
  }
  await context.close();
  return times;
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Prints a line for each step, and whether the limit holds for all. */
const report = (name: string, walks: readonly Map<string, number>[]): boolean => {
  const steps = [...(walks[0]?.keys() ?? [])];
  return steps
    .map((step) => {
      const times = walks.map((times) => times.get(step) ?? 0);
      const isHeld = median(times) <= limitMs;
      const all = times.map((time) => time.toFixed(0)).join(', ');
      say(
        `${isHeld ? ' ' : '!'} ${name} ${step.padEnd(28)} ${median(times).toFixed(0).padStart(3)} ms (${all})`,
      );
      return isHeld;
    })
    .every(Boolean);
};

const folder = mkdtempSync(join(tmpdir(), 'parley-frames-'));
/** A server that runs already with its demo can be named, with its data folder in PARLEY_BROWSER_DATA. */
const running = process.env.FRAMES_URL;
process.env.PARLEY_BROWSER_DATA ??= join(folder, 'data');
const product = running
  ? { url: running, stop: async () => {} }
  : await startProduct(process.env.PARLEY_BROWSER_DATA, { PARLEY_RATE_LIMITS: 'off' });
try {
  process.env.PARLEY_BROWSER_PORT = new URL(product.url).port;
  const found = await ensureBrowser();
  if ('missing' in found) throw new Error(found.missing);
  await prepare();
  const browser = await chromium.launch(found);
  let isHeld = true;
  for (const device of devices) {
    const walks: Map<string, number>[] = [];
    for (let round = 0; round < rounds; round += 1) walks.push(await walk(browser, product.url, device));
    isHeld = report(device.name, walks) && isHeld;
  }
  await browser.close();
  say(`Processor time of the longest frame, median of ${rounds} (at most ${limitMs} ms)`);
  process.exitCode = isHeld ? 0 : 1;
} finally {
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
}
