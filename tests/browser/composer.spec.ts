import { expect, type Page, test } from '@playwright/test';
import {
  composer,
  conversation,
  feed,
  fresh,
  leave,
  message,
  openConversation,
  type Person,
  say,
  signIn,
  signInAt,
} from './people.ts';
import { openSite } from './preview-site.ts';
import { inTray, pick, textFile } from './uploads-support.ts';

/** Both stay signed in from journey to journey: each opens the conversation that it needs, and leaves its composer empty. */
let ana: Person;
let priya: Person;

test.beforeAll(async ({ browser }) => {
  ana = await signIn(browser, /Ana Ribeiro/);
  priya = await signIn(browser, /Priya Raman/);
});
test.afterAll(() => leave(ana, priya));

test('M7 @ lists people as one types; the mention is marked, lit up and opens a profile', async () => {
  await openConversation(ana.page, 'general');
  await openConversation(priya.page, 'random');
  const words = fresh('have a look');

  await composer(ana.page).pressSequentially('@Pri');
  const field = ana.page.getByRole('main').getByRole('combobox');
  const option = ana.page.getByRole('option', { name: /Priya Raman/ });
  await expect(option).toHaveAttribute('aria-selected', 'true');
  await expect(field).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? '-');
  await field.press('Enter');
  await expect(composer(ana.page)).toHaveValue('@Priya Raman ');
  await composer(ana.page).pressSequentially(words);
  await composer(ana.page).press('Enter');

  const sent = message(ana.page, words).getByRole('button', { name: '@Priya Raman' });
  await expect(sent).not.toHaveAttribute('data-own');
  await expect(conversation(priya.page, 'general').getByLabel('You were mentioned')).toBeVisible();
  await openConversation(priya.page, 'general');
  const called = message(priya.page, words).getByRole('button', { name: '@Priya Raman' });
  await expect(called).toHaveAttribute('data-own');
  await called.click();
  await expect(priya.page.getByRole('dialog', { name: 'Priya Raman' })).toBeVisible();
  await priya.page.keyboard.press('Escape');
  await expect(priya.page.getByRole('dialog')).toBeHidden();
});

test('M7 commands: chosen from the list, run, and refused with the text kept', async () => {
  const { page } = ana;
  await openConversation(page, 'general');
  const words = fresh('who knows');

  await composer(page).pressSequentially('/shr');
  await page.getByRole('option', { name: /shrug/ }).click();
  await composer(page).pressSequentially(words);
  await composer(page).press('Enter');
  await expect(message(page, `${words} ¯\\_(ツ)_/¯`)).toBeVisible();

  const deed = fresh('waves');
  await composer(page).fill(`/me ${deed} at #`);
  await composer(page).press('Enter');
  const row = message(page, `Ana Ribeiro ${deed} at #`);
  await expect(row.getByText(deed)).toHaveCSS('font-style', 'italic');
  await expect(row).not.toContainText('*');

  await composer(page).fill('/dance all night');
  await composer(page).press('Enter');
  const answer = feed(page).getByRole('article', { name: 'Only visible to you' });
  await expect(answer.getByText("There's no command /dance")).toBeVisible();
  await expect(composer(page)).toHaveValue('/dance all night');
  await answer.getByRole('button', { name: 'Dismiss' }).click();
  await expect(answer).toHaveCount(0);
  // The text of a composer is stored as a draft for other devices, so each test sends what it typed.
  await say(page, fresh('no dance then'));
});

test('M7 emojis: completed by name, found in the picker, the last used first', async () => {
  const { page } = priya;
  await openConversation(page, 'random');

  await composer(page).pressSequentially('so :tad');
  await expect(page.getByRole('option', { name: /:tada:/ })).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.type(':rocket:');
  await expect(composer(page)).toHaveValue('so 🎉 🚀');
  await page.getByRole('main').getByRole('button', { name: 'Add emoji' }).click();
  const picker = page.getByRole('dialog', { name: 'Emojis' });
  await expect(picker.getByRole('group', { name: 'Recent' }).getByRole('button').first()).toHaveText('🚀');
  await expect(picker.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('pizza');
  await picker.getByRole('button', { name: 'pizza' }).click();

  await expect(composer(page)).toHaveValue('so 🎉 🚀🍕');
  await page.keyboard.press('Escape');
  await expect(picker).toBeHidden();
  await say(page, fresh('🍕'));
});

/** Notes the number of buttons that the page gets at one time. */
const countNewButtons = (page: Page) =>
  page.evaluate(() => {
    const counts: number[] = [];
    new MutationObserver((records) => {
      const added = records.flatMap((record) => [...record.addedNodes]);
      const elements = added.filter((node) => node instanceof Element);
      const all = new Set(elements.flatMap((one) => [one, ...one.querySelectorAll('*')]));
      counts.push([...all].filter(isButton).length);
    }).observe(document.body, { childList: true, subtree: true });
    const isButton = ({ tagName }: Element) => tagName === 'BUTTON';
    Object.assign(window, { mostNewButtons: () => Math.max(...counts) });
  });

test('M7 the groups of the picker are one press away, drawn a part at a time, and no tooltip lies over it', async () => {
  const { page } = priya;
  await openConversation(page, 'random');
  await countNewButtons(page);
  const button = page.getByRole('main').getByRole('button', { name: 'Add emoji' });
  const tip = page.getByText('Add emoji', { exact: true });
  await button.hover();
  await expect(tip).toBeVisible();
  await button.press('Enter');
  const picker = page.getByRole('dialog', { name: 'Emojis' });
  await expect(picker.getByRole('searchbox')).toBeFocused();
  await expect(tip).toBeHidden();
  const flag = picker.getByRole('button', { name: 'checkered flag' });
  await picker.getByRole('button', { name: 'Flags', exact: true }).click();

  await expect(flag).toBeInViewport();
  expect(await page.evaluate('mostNewButtons()')).toBeLessThan(200);
  await page.keyboard.press('Escape');
  await expect(picker).toBeHidden();
});

test('M7 code is shown at once and coloured later, at the same height', async ({ browser }) => {
  const { page, context } = await signIn(browser, /Priya Raman/);
  const gate = Promise.withResolvers<void>();
  await page.route(/\/assets\/code-highlight-/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await openConversation(page, 'random');
  const line = fresh('const answer = "<b>42</b>"; //');
  await composer(page).fill(`\`\`\`ts\n${line}\n\`\`\``);
  await composer(page).press('Enter');
  const block = feed(page).locator('pre').filter({ hasText: line });
  await expect(block).toBeVisible();
  await expect(block.locator('span')).toHaveCount(0);
  const before = await block.boundingBox();
  gate.resolve();

  await expect(block.locator('span').first()).toHaveText('const');
  await expect(block.locator('b')).toHaveCount(0);
  expect((await block.innerText()).trim()).toBe(line);
  expect((await block.boundingBox())?.height).toBe(before?.height);
  await context.close();
});

test('M7 text typed before the suggestions have loaded gets them when they load', async ({ browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const gate = Promise.withResolvers<void>();
  // The help of the composer comes with the other parts that load after the first screen.
  await page.route(/\/assets\/late-/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto('/');
  await page.getByRole('button', { name: /Priya Raman/ }).click();
  await openConversation(page, 'random');
  await composer(page).pressSequentially('so :tad');
  await expect(composer(page)).toHaveValue('so :tad');
  gate.resolve();

  await expect(page.getByRole('option', { name: /:tada:/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await say(page, fresh('so be it'));
  await context.close();
});

test('M7 a tone of skin is chosen once and kept, for the picker and for names', async ({ browser }) => {
  const { page, context } = await signInAt(browser, /Priya Raman/, 'random');
  const open = () => page.getByRole('main').getByRole('button', { name: 'Add emoji' }).click();
  const picker = page.getByRole('dialog', { name: 'Emojis' });
  await open();
  await picker.getByRole('radio', { name: 'Medium skin tone', exact: true }).check({ force: true });
  await picker.getByRole('searchbox').fill('wave');
  await picker.getByRole('button', { name: 'wave', exact: true }).click();
  await expect(composer(page)).toHaveValue('👋🏽');
  await page.keyboard.press('Escape');

  await page.reload();
  await openConversation(page, 'random');
  // The draft comes back first: one that came later would stand before the letters that are typed.
  await expect(composer(page)).toHaveValue('👋🏽');
  await composer(page).fill('');
  await composer(page).pressSequentially(':wave:');
  await expect(composer(page)).toHaveValue('👋🏽');
  await say(page, fresh('bye'));
  await context.close();
});

test('M7 shortcuts write Markdown, and an address over words makes a link', async () => {
  const { page } = ana;
  await openConversation(page, 'random');
  // The shortcuts load late: one that is pressed before is not lost.
  const gate = Promise.withResolvers<void>();
  await page.route(/\/assets\/late-/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  // The load event waits for a part that is held and was asked for before it.
  await page.reload({ waitUntil: 'commit' });
  await composer(page).fill('read this');
  await composer(page).press('End');
  await composer(page).press('Control+Shift+ArrowLeft');
  await composer(page).press('Control+b');
  gate.resolve();
  await expect(composer(page)).toHaveValue('read **this**');
  await page.unroute(/\/assets\/late-/);

  await composer(page).evaluate((area) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'https://example.org/a');
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(composer(page)).toHaveValue('read **[this](https://example.org/a)**');
  await composer(page).press('End');
  await composer(page).press('Shift+Enter');
  await composer(page).pressSequentially('below');

  await expect(composer(page)).toHaveValue('read **[this](https://example.org/a)**\nbelow');
  await say(page, fresh('as linked'));
});

test('M7 words dragged onto the composer land in it, beside what was typed', async () => {
  const { page } = ana;
  await openConversation(page, 'Bo Lindqvist');
  const words = fresh('dragged');
  await say(page, words);
  await composer(page).fill('typed before');
  const source = message(page, words).getByText(words);
  // The row is drawn again when the server has it, and only then stands still and keeps a selection.
  await expect(message(page, words)).toContainText(/Sent|Delivered|Read/);
  await source.hover();
  await source.evaluate((element) => getSelection()?.selectAllChildren(element));
  const from = await source.boundingBox();
  const to = await composer(page).boundingBox();
  if (!from || !to) throw new Error('Something is not drawn');
  await page.mouse.move(from.x + 12, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x + 40, from.y + from.height / 2 - 20, { steps: 4 });
  await page.mouse.move(to.x + to.width - 20, to.y + to.height / 2, { steps: 8 });
  await page.mouse.up();

  await expect(composer(page)).toHaveValue(new RegExp(`typed before ?${words}`));
  await composer(page).press('Enter');
  await expect(message(page, `typed before`)).toContainText(words);
  await expect(composer(page)).toHaveValue('');
});

test('M7 nothing typed is lost: only spaces, one character too many, Escape from a list', async () => {
  const { page } = ana;
  await openConversation(page, 'general');
  const send = page.getByRole('main').getByRole('button', { name: 'Send', exact: true });
  await composer(page).fill('  \n ');
  await expect(send).toBeDisabled();

  const long = 'x'.repeat(20_001);
  await composer(page).fill(long);
  await expect(page.getByText('1 character too long')).toBeVisible();
  await composer(page).press('Enter');
  await expect(composer(page)).toHaveValue(long);
  await expect(send).toBeDisabled();

  await composer(page).fill('');
  await composer(page).pressSequentially('mail @');
  await expect(page.getByRole('listbox')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toBeHidden();
  await expect(composer(page)).toHaveValue('mail @');
  await composer(page).fill('');
  await say(page, fresh('and on it goes'));
});

test('M7 words go with a file and the preview of a link; the menu beside the field has voice, poll and place', async () => {
  const site = await openSite(Number(process.env.PARLEY_BROWSER_SITE));
  const { page } = ana;
  await openConversation(page, 'random');
  const words = fresh('all in one');

  await page.getByRole('main').getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('menuitem')).toHaveText([
    'Photo or file',
    'Voice message',
    'Create a poll',
    'Share location',
  ]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  await pick(page, [textFile('notes.txt')]);
  await expect(inTray(page, 'notes.txt')).toHaveAttribute('data-state', 'finished');
  await composer(page).fill(`${words} ${site.url}/Tides`);
  await expect(page.getByRole('list', { name: 'Link previews' }).getByRole('listitem')).toHaveText([/Tides/]);
  await composer(page).press('Enter');

  const sent = message(page, words);
  await expect(sent.getByText('notes')).toBeVisible();
  await expect(sent.getByRole('link', { name: /Harbour.*Tides/ })).toBeVisible();
  await expect(composer(page)).toHaveValue('');
  await site.stop();
});
