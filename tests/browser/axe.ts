import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { RunOptions } from 'axe-core';

declare global {
  interface Window {
    axe?: typeof import('axe-core');
  }
}

type Rules = { only?: string[]; without?: string[]; within?: string; besides?: string };

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Gives the page its checker once: `@axe-core/playwright` evaluates 1.3 MB of script twice for every look. */
const prepare = async (page: Page): Promise<void> => {
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(source);
};

const optionsOf = ({ only, without = [] }: Rules): RunOptions => ({
  // Rules that pass are not put together node by node.
  resultTypes: ['violations'],
  ...(only
    ? { runOnly: { type: 'rule', values: only } }
    : { rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])) }),
});

/** The violations that would stop users of screen readers, keyboards or high contrast. */
export const violations = async (page: Page, rules: Rules = {}): Promise<string[]> => {
  const { within = 'html', besides = '#none' } = rules;
  const context = { include: [within], exclude: [besides] };
  await prepare(page);
  return page.evaluate(
    async ([where, options]) => {
      const found = await window.axe?.run(where, options);
      if (found === undefined) throw new Error('The checker is not in the page');
      return found.violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
      );
    },
    [context, optionsOf(rules)] as const,
  );
};

/** The screen as it stands, in light and in dark; a dark one differs in its colours alone. */
export const expectAccessible = async (page: Page): Promise<void> => {
  await page.mouse.move(0, 0);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  // A textarea whose list is open says so as a combobox: readers know that, and HTML has no other word for it.
  const without = ['aria-allowed-role'];
  // The list of conversations is the same on every screen, and looked at with the first.
  const besides = 'nav';
  expect.soft(await violations(page, { without, besides }), 'light').toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  expect.soft(await violations(page, { only: ['color-contrast'], besides }), 'dark').toEqual([]);
};
