import { expect, type Page, test } from '@playwright/test';
import { composer, feed, message, openConversation, type Person, pointAt, say, signIn } from './people.ts';
import { go, part, seedStory } from './story.ts';
import { pick, textFile, tray } from './uploads-support.ts';

let ana: Person;

test.beforeAll(async ({ browser }) => {
  await seedStory({ id: 'feed', name: 'Feed', count: 200, readUpTo: { ana: 200, bo: 200 } });
  ana = await signIn(browser, /Ana Ribeiro/);
  await openConversation(ana.page, 'Feed');
});
test.afterAll(() => ana.context.close());

const leftBelow = (page: Page): Promise<number> =>
  feed(page).evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);

test('M3 the list stays at its end when an edit hides the files of a draft and cancelling shows them again', async () => {
  const { page } = ana;
  await say(page, 'The last of them');
  await pick(page, [textFile('one.txt'), textFile('two.txt')]);
  await expect(tray(page).getByRole('listitem')).toHaveCount(2);
  for (let time = 0; time < 3; time += 1) {
    await composer(page).press('ArrowUp');
    await expect(composer(page)).toHaveValue('The last of them');
    await expect.poll(() => leftBelow(page)).toBeLessThanOrEqual(1);
    await composer(page).press('Escape');
    await expect(tray(page).getByRole('listitem')).toHaveCount(2);
    await expect.poll(() => leftBelow(page)).toBeLessThanOrEqual(1);
    await expect(message(page, 'The last of them')).toBeInViewport();
  }
  await page.getByRole('button', { name: 'Remove one.txt' }).click();
  await page.getByRole('button', { name: 'Remove two.txt' }).click();
});

test('M3 M7 the way to the newest messages does not cover the list of completions', async () => {
  const { page } = ana;
  await go(page, '/c/team/feed?m=feed-60');
  await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeVisible();
  await composer(page).pressSequentially('/');
  const options = page.getByRole('option');
  await expect(options.first()).toBeVisible();

  const covered = await options.evaluateAll((all) =>
    all.filter((option) => {
      const list = option.closest('[role="listbox"]');
      const view = list?.getBoundingClientRect();
      const { left, width, top, bottom } = option.getBoundingClientRect();
      const middle = (top + bottom) / 2;
      if (!view || middle < view.top || middle > view.bottom) return false;
      return !list?.contains(document.elementFromPoint(left + width / 2, middle));
    }),
  );
  expect(covered).toEqual([]);
  // With the list open the field is a combobox.
  await page.keyboard.press('Backspace');
  await expect(composer(page)).toHaveValue('');
});

test('W2 no ring is drawn around the whole feed for who uses a mouse, and one is for who comes by Tab', async () => {
  const { page } = ana;
  await go(page, '/c/team/feed?m=feed-100');
  const ring = () => feed(page).evaluate((list) => getComputedStyle(list).outlineStyle);
  // The field shows a ring whenever it has the focus, and browsers then do so for whatever takes it over by script.
  await composer(page).click();
  await part(page, 'feed', 100).evaluate((row) => row.focus());
  await part(page, 'feed', 100).hover();
  for (let turn = 0; turn < 6; turn += 1) await page.mouse.wheel(0, -900);
  await expect(part(page, 'feed', 100)).toHaveCount(0);
  await expect(feed(page)).toBeFocused();
  expect(await ring()).toBe('none');

  await composer(page).click();
  await expect(async () => {
    await page.keyboard.press('Shift+Tab');
    await expect(feed(page)).toBeFocused({ timeout: 200 });
  }).toPass({ intervals: [50] });
  expect(await ring()).toBe('solid');
});

test('M4 the menu of a message fits into the window wherever the message is, and related entries stand together', async () => {
  const { page } = ana;
  await go(page, '/c/team/feed?m=feed-150');
  await expect(part(page, 'feed', 150)).toBeInViewport();
  const rows = await feed(page)
    .getByRole('article')
    .evaluateAll((all) =>
      all
        .filter((row) => row.getBoundingClientRect().top > 90 && row.getBoundingClientRect().bottom < 700)
        .map((row) => row.parentElement?.dataset.key ?? ''),
    );
  const menu = page.getByRole('menu');
  for (const key of [rows[0], rows[rows.length >> 1], rows.at(-1)]) {
    const row = feed(page).locator(`[data-key="${key}"] article`);
    await pointAt(row);
    await row.getByRole('button', { name: 'More actions' }).click();
    await expect(menu.getByRole('menuitem', { name: 'Delete' })).toBeInViewport({ ratio: 1 });
    expect(await menu.evaluate((list) => list.scrollHeight - list.clientHeight)).toBeLessThanOrEqual(0);
    const entries = await menu
      .locator('[role="menuitem"], [role="separator"]')
      .evaluateAll((all) => all.map((entry) => (entry.role === 'separator' ? '|' : entry.textContent)));
    expect(entries.join(' ')).toMatch(
      /^Reply Reply in thread \| (Edit )?Copy text Copy link \| Pin Pin for a while… \| Mark as unread Remind me… Save for later \| Message info \| Delete$/,
    );
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
  }
});
