/** Makes the pictures of the README: `npm run screenshots`. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from '@parley/testkit/browser';
import { type Browser, chromium, type Page } from '@playwright/test';
import { composer, openConversation } from './people.ts';
import { startProduct } from './product.ts';

const root = join(import.meta.dirname, '..', '..');
const images = join(root, 'docs', 'images');

type Shot = { name: string; width: number; height: number; dark: boolean };

const shots: Shot[] = [
  { name: 'parley-light', width: 1280, height: 800, dark: false },
  { name: 'parley-dark', width: 1280, height: 800, dark: true },
  { name: 'parley-phone', width: 390, height: 844, dark: false },
];

const signIn = async (browser: Browser, url: string, person: RegExp, shot: Shot): Promise<Page> => {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: shot.width, height: shot.height },
    deviceScaleFactor: shot.width < 500 ? 2 : 1,
    colorScheme: shot.dark ? 'dark' : 'light',
    locale: 'en-GB',
  });
  const page = await context.newPage();
  await page.goto('/');
  await page.getByRole('button', { name: person }).click();
  return page;
};

const take = async (browser: Browser, url: string, shot: Shot): Promise<void> => {
  const ana = await signIn(browser, url, /Ana Ribeiro/, shot);
  const bo = await signIn(browser, url, /Bo Lindqvist/, shot);
  await openConversation(ana, 'general');
  await openConversation(bo, 'general');
  await composer(bo).pressSequentially('On my way');
  await ana
    .getByRole('main')
    .getByText(/is typing/)
    .first()
    .waitFor();
  await ana.screenshot({ path: join(images, `${shot.name}.png`) });
  await composer(bo).fill('');
  await Promise.all([ana.context().close(), bo.context().close()]);
};

const found = await ensureBrowser();
if ('missing' in found) throw new Error(found.missing);
mkdirSync(images, { recursive: true });
const dataDir = mkdtempSync(join(tmpdir(), 'parley-screenshots-'));
const product = await startProduct(dataDir);
const browser = await chromium.launch(found);
try {
  for (const shot of shots) await take(browser, product.url, shot);
} finally {
  await browser.close();
  await product.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
