import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page, Route } from '@playwright/test';
import type { Harness } from './list-harness/main.tsx';

declare global {
  interface Window {
    harness: Harness;
  }
}

const root = join(import.meta.dirname, '..', '..');

const lateMs = 120;

const serveLate = async (route: Route, block: string): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, lateMs));
  const body = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="${block}"/>`;
  // The page may be gone by then.
  await route.fulfill({ body, contentType: 'image/svg+xml' }).catch(() => {});
};

type Vite = { build: (config: Record<string, unknown>) => Promise<unknown> };

/** Builds the page with the list alone, with the vite of the web app; returns the function that serves it to a page. */
export const buildListPage = async (outDir: string): Promise<(page: Page) => Promise<void>> => {
  const entry = createRequire(join(root, 'apps/web/package.json')).resolve('vite');
  const { build } = (await import(pathToFileURL(entry).href)) as Vite;
  const { NODE_ENV } = process.env;
  await build({
    root: join(import.meta.dirname, 'list-harness'),
    base: '/list-alone/',
    configFile: false,
    mode: 'production',
    logLevel: 'error',
    build: { outDir, emptyOutDir: true, target: 'es2024' },
  });
  // vite sets it to `production`, and a product that a later journey of this worker starts would refuse its demo.
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  const types: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };
  return async (page) => {
    await page.route('**/list-alone/**', (route) => {
      const path = new URL(route.request().url()).pathname.slice('/list-alone/'.length);
      const [, block] = /^late\/(\d+)\.svg$/.exec(path) ?? [];
      if (block !== undefined) return serveLate(route, block);
      const name = path === '' ? 'index.html' : path;
      const contentType = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
      return route.fulfill({ body: readFileSync(join(outDir, name)), contentType });
    });
    await page.goto('http://list.test/list-alone/');
    await page.waitForFunction(() => window.harness !== undefined);
  };
};
