import { globSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from '@parley/testkit/browser';
import { type Browser, chromium, expect, type Locator, type Page, test } from '@playwright/test';
import { openConversation, signIn } from './people.ts';

/** A machine with DejaVu and a colour emoji font alone, as Chromium finds it on a plain Debian. */
const fewFonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <selectfont>
    <acceptfont><glob>*DejaVu*</glob><glob>*NotoColorEmoji*</glob></acceptfont>
    <rejectfont><glob>*.ttf</glob><glob>*.ttc</glob><glob>*.otf</glob><glob>*.pfb</glob></rejectfont>
  </selectfont>
</fontconfig>
`;

let bare: Browser;
test.beforeAll(async () => {
  const found = await findBrowser();
  const file = join(mkdtempSync(join(tmpdir(), 'parley-fonts-')), 'fonts.conf');
  writeFileSync(file, fewFonts);
  const options = 'missing' in found ? {} : found;
  bare = await chromium.launch({ ...options, env: { ...process.env, FONTCONFIG_FILE: file } });
});
test.afterAll(() => bare.close());

const options = () => {
  const { baseURL = '', locale = '', viewport = null } = test.info().project.use;
  return { baseURL, locale, viewport };
};

type Drawn = { familyName: string; isCustomFont: boolean };

/** The fonts that the glyphs of an element came from. */
const fontsOf = async (page: Page, element: Locator): Promise<Drawn[]> => {
  const mark = 'data-drawn-by';
  await element.evaluate((node, name) => node.setAttribute(name, ''), mark);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('DOM.enable');
  await devtools.send('CSS.enable');
  const { root } = await devtools.send('DOM.getDocument');
  const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector: `[${mark}]` });
  const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
  await devtools.detach();
  await element.evaluate((node, name) => node.removeAttribute(name), mark);
  return fonts;
};

const familiesOf = async (page: Page, element: Locator): Promise<string[]> =>
  (await fontsOf(page, element)).map(({ familyName }) => familyName);

test('W2 times and counts are drawn by the font of the app, which is one small file', async () => {
  const { page, context } = await signIn(bare, /Ana Ribeiro/, options());
  await page.evaluate(() => document.fonts.ready);
  const list = page.getByRole('navigation', { name: 'Conversations' });

  expect(await fontsOf(page, list.locator('time').first())).toEqual([
    expect.objectContaining({ familyName: expect.stringContaining('Inter'), isCustomFont: true }),
  ]);
  expect(await familiesOf(page, list.getByRole('img', { name: /unread/ }).first())).toEqual([
    expect.stringContaining('Inter'),
  ]);
  const faces = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.woff2'))
      .map(({ name }) => name),
  );
  expect(faces).toHaveLength(1);
  const [file = ''] = globSync(join(import.meta.dirname, '../../apps/web/dist/assets/*.woff2'));
  expect(statSync(file).size).toBeLessThan(60_000);
  await context.close();
});

test('W2 digits have one width in a time, whatever they are', async () => {
  const { page, context } = await signIn(bare, /Ana Ribeiro/, options());
  await page.evaluate(() => document.fonts.ready);

  const widths = await page.evaluate(() => {
    const time = document.createElement('time');
    document.querySelector('.parley')?.append(time);
    return ['11:11', '08:46'].map((text) => {
      time.textContent = text;
      return time.getBoundingClientRect().width;
    });
  });

  expect(widths[0]).toBeGreaterThan(0);
  expect(widths[0]).toBe(widths[1]);
  await context.close();
});

test('W2 no emoji font draws digits where the font did not come, nor in a page that embeds the kit', async () => {
  const { page, context } = await signIn(bare, /Ana Ribeiro/, options());
  await page.route('**/*.woff2', (route) => route.abort());
  await page.reload();
  const time = page.getByRole('navigation', { name: 'Conversations' }).locator('time').first();
  const stacks = await page.evaluate(() => {
    const found: string[] = [];
    const read = (rules: CSSRuleList) => {
      for (const rule of rules) {
        if (rule instanceof CSSStyleRule) found.push(rule.style.getPropertyValue('--pl-font'));
        if (rule instanceof CSSGroupingRule) read(rule.cssRules);
      }
    };
    for (const sheet of document.styleSheets) read(sheet.cssRules);
    return found.filter((stack) => stack !== '');
  });

  expect(stacks, 'the kit and the app each name one').toHaveLength(2);
  for (const stack of stacks) {
    await page.evaluate((value) => document.documentElement.style.setProperty('--pl-font', value), stack);
    expect(await familiesOf(page, time), stack).toEqual(['DejaVu Sans']);
  }
  await context.close();
});

test('W2 scripts that the font lacks, and emoji, come from the fonts of the system', async () => {
  const { page, context } = await signIn(bare, /Ana Ribeiro/, options());
  await openConversation(page, 'Bo Lindqvist');
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(() => {
    const line = document.createElement('p');
    line.id = 'scripts';
    line.textContent = 'Gdańsk Привет Ελλάδα Việt שלום مرحبا 👍';
    document.querySelector('.parley')?.append(line);
  });

  expect((await familiesOf(page, page.locator('#scripts'))).sort()).toEqual([
    'DejaVu Sans',
    expect.stringContaining('Inter'),
    'Noto Color Emoji',
  ]);
  await context.close();
});
