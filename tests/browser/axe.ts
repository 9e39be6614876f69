import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

type Rules = { only?: string[]; without?: string[]; within?: string; besides?: string };

/** The violations that would stop users of screen readers, keyboards or high contrast. */
export const violations = async (page: Page, rules: Rules = {}): Promise<string[]> => {
  const { only, without = [], within = 'html', besides = '#none' } = rules;
  // A page without frames needs no second page to put the findings together, which takes most of the time.
  const builder = new AxeBuilder({ page }).setLegacyMode().include(within).exclude(besides);
  // Rules that pass are not put together node by node.
  builder.options({ resultTypes: ['violations'] });
  const { violations: found } = await (only
    ? builder.withRules(only)
    : builder.disableRules(without)
  ).analyze();
  return found.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`);
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
