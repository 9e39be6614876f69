import { join } from 'node:path';
import { findBrowser } from '@parley/testkit/browser';
import { freePort } from '@parley/testkit/free-port';
import { makeDatabaseFolder } from '@parley/testkit/memory-folder';
import { defineConfig, devices } from '@playwright/test';

const root = join(import.meta.dirname, '..', '..');

/** Where a product runs, and what its link previews may read. */
export type Place = { port: number; site: number; data: string };

const reserve = async (): Promise<Place> => ({
  port: await freePort(),
  site: await freePort(),
  data: makeDatabaseFolder('parley-browser-'),
});

/**
 * Each worker has a product of its own: files that run beside each other share neither people nor database.
 * Three on two cores: while one journey waits for a clock or for the other side, the others go on.
 */
const workers = 3;
// The workers read this file again: what the first reading chose must hold for them too.
process.env.PARLEY_BROWSER_READY ??= String(await freePort());
process.env.PARLEY_BROWSER_PLACES ??= JSON.stringify(
  await Promise.all(Array.from({ length: workers }, reserve)),
);
const places = JSON.parse(process.env.PARLEY_BROWSER_PLACES) as Place[];
const own = places[Number(process.env.TEST_PARALLEL_INDEX ?? 0)] ?? (places[0] as Place);
process.env.PARLEY_BROWSER_PORT = String(own.port);
process.env.PARLEY_BROWSER_SITE = String(own.site);
process.env.PARLEY_BROWSER_DATA = own.data;
const baseURL = `http://127.0.0.1:${own.port}`;
const browser = await findBrowser();
const launchOptions = 'missing' in browser ? {} : browser;

/** A trace keeps every screen of a journey, and takes a third longer: for the search for a fault. */
const trace = process.env.PARLEY_TRACE === 'on' ? 'retain-on-failure' : 'off';

/** The product as `npm start` starts it, with its demo data, and a real browser. */
export default defineConfig({
  testDir: '.',
  outputDir: join(root, 'test-results'),
  fullyParallel: false,
  workers,
  // No journey measures time: on a machine whose cores are busy with other work, the setup of one file took more than two minutes.
  timeout: 300_000,
  expect: { timeout: 20_000 },
  use: {
    baseURL,
    launchOptions,
    trace,
    screenshot: 'only-on-failure',
    locale: 'en-GB',
    contextOptions: { reducedMotion: 'reduce' },
  },
  webServer: {
    command: `"${process.execPath}" tests/browser/products.ts`,
    cwd: root,
    url: `http://127.0.0.1:${process.env.PARLEY_BROWSER_READY}/`,
    timeout: 180_000,
    stdout: 'ignore',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
  },
  projects: [
    {
      name: 'desktop',
      testIgnore: /phone\.spec\.ts/,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 }, launchOptions },
    },
    {
      name: 'phone',
      testMatch: /phone\.spec\.ts/,
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, launchOptions },
    },
  ],
});
