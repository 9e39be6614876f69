/** Prints the four scores of a signed-in conversation on a desktop: `npm run lighthouse`. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBrowser } from '@parley/testkit/browser';
import { chromium } from '@playwright/test';
import { startProduct } from './product.ts';

const version = '13.5.0';
const wanted = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 };
const root = join(import.meta.dirname, '..', '..');
const home = join(root, '.cache', 'lighthouse');
const entry = join(home, 'node_modules', 'lighthouse', 'core', 'index.js');

type Audit = { id: string; title: string; displayValue?: string; score: number | null };
type Category = { score: number | null; auditRefs: { id: string; weight: number }[] };
type Result = {
  lhr: { categories: Record<string, Category>; audits: Record<string, Audit> };
  report: string;
};
type Lighthouse = {
  default: (url: string, flags: object, config: object) => Promise<Result>;
  desktopConfig: object;
};

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Fetched here and not with the other packages: it takes 181 MB, and only who measures needs it. */
const load = async (): Promise<Lighthouse> => {
  if (!existsSync(entry)) {
    say(`Fetching Lighthouse ${version} into .cache (once, 180 MB) …`);
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'package.json'), '{ "private": true }');
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `lighthouse@${version}`];
    const { status } = spawnSync('npm', args, { cwd: home, stdio: 'inherit' });
    if (status !== 0) throw new Error('Lighthouse could not be fetched; npm says why above.');
  }
  return (await import(pathToFileURL(entry).href)) as Lighthouse;
};

const measure = async (url: string, folder: string): Promise<Result> => {
  const browser = await ensureBrowser();
  if ('missing' in browser) throw new Error(browser.missing);
  const { default: lighthouse, desktopConfig } = await load();
  const port = 9222 + (process.pid % 1000);
  const context = await chromium.launchPersistentContext(join(folder, 'browser'), {
    ...browser,
    args: [...browser.args, `--remote-debugging-port=${port}`],
  });
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(url);
    await page.getByRole('button', { name: /Ana Ribeiro/ }).click();
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
    await page.goto('about:blank');
    const flags = { port, disableStorageReset: true, output: 'html', logLevel: 'error' };
    return await lighthouse(`${url}/c/team/general`, flags, desktopConfig);
  } finally {
    await context.close();
  }
};

const show = ({ lhr, report }: Result): boolean => {
  const lines = Object.entries(wanted).map(([name, least]) => {
    const category = lhr.categories[name];
    const score = Math.round((category?.score ?? 0) * 100);
    say(`${name.padEnd(16)} ${String(score).padStart(3)}  (at least ${least})`);
    for (const { id, weight } of category?.auditRefs ?? []) {
      const audit = lhr.audits[id];
      if (weight === 0 || !audit || audit.score === null || audit.score >= 0.9) continue;
      say(`  ${audit.title} ${audit.displayValue ?? ''}`);
    }
    return score >= least;
  });
  writeFileSync(join(root, '.cache', 'lighthouse.html'), report);
  say('The report is in .cache/lighthouse.html');
  return lines.every(Boolean);
};

const folder = mkdtempSync(join(tmpdir(), 'parley-lighthouse-'));
const product = await startProduct(join(folder, 'data'));
try {
  process.exitCode = show(await measure(product.url, folder)) ? 0 : 1;
} finally {
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
}
