import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from '@parley/testkit/browser';
import { defineConfig, devices } from '@playwright/test';

const root = join(import.meta.dirname, '..', '..');

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

// The workers read this file again: what the first reading chose must hold for them too.
process.env.PARLEY_BROWSER_PORT ??= String(await freePort());
process.env.PARLEY_BROWSER_SITE ??= String(await freePort());
process.env.PARLEY_BROWSER_DATA ??= mkdtempSync(join(tmpdir(), 'parley-browser-'));
const baseURL = `http://127.0.0.1:${process.env.PARLEY_BROWSER_PORT}`;
const browser = await findBrowser();
const launchOptions = 'missing' in browser ? {} : browser;

/** The product as `npm start` brings it up, with its demo data, and a real browser. */
export default defineConfig({
  testDir: '.',
  outputDir: join(root, 'test-results'),
  fullyParallel: false,
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: { baseURL, launchOptions, trace: 'retain-on-failure', screenshot: 'only-on-failure', locale: 'en-GB' },
  webServer: {
    command: `"${process.execPath}" scripts/start.ts`,
    cwd: root,
    url: `${baseURL}/readyz`,
    timeout: 180_000,
    stdout: 'ignore',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    env: {
      PORT: process.env.PARLEY_BROWSER_PORT,
      PARLEY_DATA: process.env.PARLEY_BROWSER_DATA,
      PARLEY_DEMO: 'on',
      LOG_LEVEL: 'warn',
      PARLEY_RATE_LIMITS: 'off',
      PARLEY_PREVIEW_HOSTS: `127.0.0.1:${process.env.PARLEY_BROWSER_SITE}`,
    },
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
