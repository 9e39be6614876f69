import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from '@parley/testkit/browser';
import { type Browser, chromium, type Page } from '@playwright/test';
import { buildListPage } from '../browser/list-page.ts';
import type { Measured } from './bench.ts';
import type { Plan } from './jobs.ts';
import { decimal, type Row, whole } from './report.ts';

type Open = (page: Page) => Promise<void>;

const loaded = 5000;
const appended = 200;
const steps = 1000;
const longFrame = 50;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Acts in a page of its own: nothing is compiled, no font is loaded. */
const inPage = async <T>(browser: Browser, open: Open, act: (page: Page) => Promise<T>): Promise<T> => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  try {
    await open(page);
    return await act(page);
  } finally {
    await page.close();
  }
};

const measureMounts = async (browser: Browser, open: Open, times: number) => {
  const list: { ms: number; elements: number }[] = [];
  const bare: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const mount = (page: Page) => page.evaluate((count) => window.harness.mount(count), loaded);
    list.push(await inPage(browser, open, mount));
    bare.push(await inPage(browser, open, (page) => page.evaluate(() => window.harness.mountBare())));
  }
  return { ms: list.map(({ ms }) => ms), elements: list[0]?.elements ?? 0, bare };
};

const measureFrames = (browser: Browser, open: Open) =>
  inPage(browser, open, async (page) => {
    await page.evaluate((count) => window.harness.mount(count), loaded);
    const append = await page.evaluate((count) => window.harness.append(count), appended);
    const watching = page.evaluate(() => window.harness.watchFrames(120));
    await page.getByRole('textbox').pressSequentially('What a long conversation this is', { delay: 40 });
    return { append, typing: await watching };
  });

const measureDrift = (browser: Browser, open: Open, seeds: number) =>
  inPage(browser, open, async (page) => {
    const walks: { worst: number; frames: number }[] = [];
    for (let seed = 1; seed <= seeds; seed += 1) {
      await page.evaluate(() => window.harness.mount(300));
      walks.push(await page.evaluate((walk) => window.harness.walk(walk), { steps, seed }));
    }
    return {
      worst: Math.max(...walks.map(({ worst }) => worst)),
      frames: walks.reduce((sum, { frames }) => sum + frames, 0),
      seeds,
    };
  });

type Line = { name: string; value: string; target: string; ok: boolean; limit?: string; ratio?: number };

const row = ({ name, value, target, ok, limit = '', ratio }: Line): Row => ({
  name,
  parley: value,
  limit,
  ratio: ratio === undefined ? '' : decimal(ratio),
  target,
  ok,
  latency: '',
});

const framesRow = (name: string, times: readonly number[]): Row => {
  const long = times.filter((time) => time > longFrame).length;
  const value = `${long} of ${times.length}`;
  const limit = `longest ${whole(Math.max(...times))} ms`;
  return row({ name: `  ${name}: frames over ${longFrame} ms`, value, limit, target: '0', ok: long === 0 });
};

const measureIn = async (browser: Browser, open: Open, { rounds }: Plan): Promise<Measured> => {
  const mounts = await measureMounts(browser, open, 2 * rounds + 1);
  const frames = await measureFrames(browser, open);
  const drift = await measureDrift(browser, open, rounds);
  const [ms, bare] = [median(mounts.ms), median(mounts.bare)];
  const walked = `${whole(steps * drift.seeds)} random steps, ${whole(drift.frames)} frames`;
  return {
    raw: { mounts, frames, drift },
    blemishes: [],
    rows: [
      row({
        name: `list, ${whole(loaded)} messages: ms to the paint of the last`,
        value: decimal(ms, 0),
        limit: `${decimal(bare, 0)} bare rows`,
        ratio: ms / bare,
        target: '< 100 ms',
        ok: ms < 100,
      }),
      row({
        name: '  elements in it',
        value: whole(mounts.elements),
        target: '< 1 000',
        ok: mounts.elements < 1000,
      }),
      framesRow(`${appended} appended, one a frame`, frames.append),
      framesRow('typing beside it', frames.typing),
      row({
        name: `  px what is read moves, ${walked}`,
        value: decimal(drift.worst),
        target: '≤ 1',
        ok: drift.worst <= 1,
      }),
    ],
  };
};

/** The message list alone, in a real browser. */
export const measureList = async (plan: Plan): Promise<Measured> => {
  const found = await findBrowser();
  if ('missing' in found) throw new Error(found.missing);
  const folder = mkdtempSync(join(tmpdir(), 'parley-list-'));
  const browser = await chromium.launch(found);
  try {
    return await measureIn(browser, await buildListPage(folder), plan);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
};
