import { expect, type Locator, type Page, test } from '@playwright/test';
import { type Finger, middleOf, type Point, putFinger } from './finger.ts';
import { asServer, composer, feed, fresh, message, openConversation, ownChannel } from './people.ts';

const sheetOf = (page: Page) => page.getByRole('dialog', { name: 'Message actions' });
const replyTo = (page: Page) => page.getByText(/^Replying to/);
const slideOf = (row: Locator) => row.evaluate((element) => getComputedStyle(element).translate);

/** Ana in a channel, by default the one that everybody reads, with a message of her own at its end. */
const sayByTouch = async (page: Page, words: string, title = 'general'): Promise<string> => {
  await page.addInitScript(() => {
    Navigator.prototype.vibrate = () => {
      document.documentElement.dataset.buzzes = String(
        Number(document.documentElement.dataset.buzzes) + 1 || 1,
      );
      return true;
    };
  });
  await page.goto('/');
  await page.getByRole('button', { name: /Ana Ribeiro/ }).click();
  await openConversation(page, title);
  const text = fresh(words);
  await composer(page).fill(text);
  await page.getByRole('main').getByRole('button', { name: 'Send', exact: true }).tap();
  await expect(message(page, text)).toBeVisible();
  return text;
};

/** Taps until it has its effect: a browser takes a tap right after the finger has lifted for the end of its movement. */
const tapUntil = (tap: () => Promise<void>, check: () => Promise<void>) =>
  expect(async () => {
    await tap();
    await check();
  }).toPass({ timeout: 20_000 });

test('M4 on a phone no toolbar appears, and a resting finger buzzes, selects nothing and is let off by a scroll', async ({
  page,
}) => {
  const text = await sayByTouch(page, 'Rest here');
  const row = message(page, text);
  const finger = await putFinger(page);
  const at = await middleOf(row.getByText(text));

  await row.tap();
  await row.hover();
  await expect(page.getByRole('toolbar')).toHaveCount(0);

  await finger.down(at);
  await expect(sheetOf(page)).toBeVisible();
  await finger.up();
  await expect(page.locator('html')).toHaveAttribute('data-buzzes', '1');
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('');
  await tapUntil(
    () => page.touchscreen.tap(200, 20),
    () => expect(sheetOf(page)).toBeHidden({ timeout: 500 }),
  );
  await expect(page.getByRole('toolbar')).toHaveCount(0);

  await finger.down(at);
  await finger.move(at, { x: at.x, y: at.y + 60 });
  // Longer than a finger has to rest.
  await page.waitForTimeout(700);
  await finger.up();
  await expect(sheetOf(page)).toBeHidden();
});

/** On a busy machine a finger that is to move may rest for long enough to open the sheet: then it has to begin anew. */
const expectNoRest = async (page: Page, finger: Finger): Promise<void> => {
  const isResting = await sheetOf(page).isVisible();
  if (isResting) {
    await finger.up();
    await page.keyboard.press('Escape');
    await expect(sheetOf(page)).toBeHidden();
  }
  expect(isResting).toBe(false);
};

/** Puts a finger down and moves it by these points, where it stays. */
const drag = (page: Page, finger: Finger, ...[first, ...others]: [Point, ...Point[]]) =>
  expect(async () => {
    await finger.down(first);
    let from = first;
    for (const to of others) {
      await finger.move(from, to);
      from = to;
    }
    await expectNoRest(page, finger);
  }).toPass({ intervals: [50], timeout: 30_000 });

/**
 * Puts a finger on a message and pulls it until the row follows: right after the opening the row may still move, and the code come.
 * A finger that nothing has followed yet goes back to its start before it lifts: where it is, it may reply all the same.
 */
const pull = (row: Locator, text: string, finger: Finger, px: number) =>
  expect(async () => {
    const { x, y } = await middleOf(row.getByText(text));
    await finger.down({ x, y });
    await finger.move({ x: x + px / 4, y }, { x: x + px, y });
    await expectNoRest(row.page(), finger);
    const slide = await slideOf(row);
    if (slide === 'none') {
      await finger.move({ x: x + px, y }, { x, y });
      await finger.up();
    }
    expect(slide).not.toBe('none');
  }).toPass({ intervals: [50], timeout: 15_000 });

test('M4 a swipe towards the start of the line replies; a short one, a scroll and one from the edge do not', async ({
  page,
}) => {
  // A quote is stored as a draft: in a channel of its own it comes into no other journey.
  const { title } = await ownChannel('Swipes', ['ana', 'bo']);
  const text = await sayByTouch(page, 'Swipe this', title);
  const row = message(page, text);
  const finger = await putFinger(page);

  await pull(row, text, finger, -40);
  await finger.up();
  await expect.poll(() => slideOf(row)).toBe('none');
  const at = await middleOf(row.getByText(text));
  const left = (px: number): Point => ({ x: at.x - px, y: at.y });
  await drag(page, finger, at, { x: at.x, y: at.y + 30 }, left(120));
  await finger.up();
  await drag(page, finger, { x: 385, y: at.y }, left(80));
  expect(await slideOf(row)).toBe('none');
  await finger.up();
  await expect(replyTo(page)).toBeHidden();

  await pull(row, text, finger, -90);
  expect(await slideOf(row)).toMatch(/^-/);
  await finger.up();
  await expect(replyTo(page)).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await expect.poll(() => slideOf(row)).toBe('none');
});

test('M4 a message that is deleted under a resting finger leaves the page usable', async ({ page }) => {
  await sayByTouch(page, 'Before it');
  const { id } = await asServer().messages.send('team:general', 'bo', { text: fresh('Gone soon') });
  const row = feed(page).getByRole('article').filter({ hasText: 'Gone soon' }).last();
  const finger = await putFinger(page);
  await finger.down(await middleOf(row.getByText('Gone soon')));
  await expect(sheetOf(page)).toBeVisible();
  await asServer().messages.delete(id, { hard: true });
  await expect(sheetOf(page)).toBeHidden();
  await finger.up();

  const add = page.getByRole('dialog', { name: 'Add', exact: true });
  await tapUntil(
    () => page.getByRole('main').getByRole('button', { name: 'Add', exact: true }).tap({ timeout: 1000 }),
    () => expect(add).toBeVisible({ timeout: 1000 }),
  );
});

test('M4 a second finger, which pinches, opens no sheet', async ({ page }) => {
  const text = await sayByTouch(page, 'Two fingers');
  const finger = await putFinger(page);
  const at = await middleOf(message(page, text).getByText(text));
  await finger.down({ x: 60, y: 300 });
  await finger.down({ x: 60, y: 300 }, at);
  // Longer than a finger has to rest.
  await page.waitForTimeout(900);
  await finger.up();
  await expect(sheetOf(page)).toBeHidden();
});

test('M4 W2 from right to left the swipe is mirrored', async ({ page }) => {
  const { title, path } = await ownChannel('Mirrored swipes', ['ana', 'bo']);
  const text = await sayByTouch(page, 'Mirrored', title);
  await page.goto(`/c/${path.type}/${path.id}?locale=ar`);
  const row = message(page, text);
  await expect(row).toBeVisible();
  const finger = await putFinger(page);

  await pull(row, text, finger, 90);
  expect(await slideOf(row)).toMatch(/^\d/);
  await finger.up();
  await expect(replyTo(page)).toHaveText('Replying to you');
  await expect.poll(() => slideOf(row)).toBe('none');
  const cancel = page.getByRole('main').getByRole('button', { name: 'Cancel', exact: true });
  await tapUntil(
    () => cancel.tap({ timeout: 1000 }),
    () => expect(replyTo(page)).toBeHidden({ timeout: 1000 }),
  );
  const arrow = page.getByRole('main').getByRole('button', { name: 'Back' }).locator('path');
  expect(await arrow.evaluate((path) => getComputedStyle(path).transform)).toMatch(/^matrix\(-1,/);
  const at = await middleOf(row.getByText(text));
  await drag(page, finger, at, { x: Math.max(1, at.x - 100), y: at.y });
  await finger.up();
  await expect(replyTo(page)).toBeHidden();
});

test('M7 W2 on a phone the text has the width, and one sheet holds what is rarely used', async ({ page }) => {
  const text = await sayByTouch(page, 'Room to write');
  const main = page.getByRole('main');
  const add = main.getByRole('button', { name: 'Add', exact: true });
  const sheet = page.getByRole('dialog', { name: 'Add', exact: true });
  expect((await composer(page).boundingBox())?.width).toBeGreaterThanOrEqual(250);
  // The button stands in place of a send button that could do nothing.
  await expect(main.getByRole('button', { name: 'Send', exact: true })).toHaveCount(0);
  await expect(main.getByRole('button', { name: 'Voice message' })).toBeVisible();

  await add.tap();
  await expect(sheet.getByRole('button', { name: 'Send later' })).toHaveCount(0);
  await sheet.getByRole('button', { name: 'Add emoji' }).tap();
  const emojis = page.getByRole('dialog', { name: 'Emojis' });
  await emojis.getByRole('searchbox').fill('wave');
  await emojis.getByRole('button', { name: 'wave', exact: true }).tap();
  await expect(emojis).toBeHidden();
  await expect(composer(page)).toHaveValue('👋');
  expect((await composer(page).boundingBox())?.width).toBeGreaterThanOrEqual(250);

  await add.tap();
  await sheet.getByRole('button', { name: 'Send later' }).tap();
  await page
    .getByRole('dialog', { name: 'Send later' })
    .getByRole('button', { name: /In 20 minutes/ })
    .tap();
  await expect(composer(page)).toHaveValue('');

  await composer(page).press('ArrowUp');
  await expect(composer(page)).toHaveValue(text);
  await add.tap();
  await expect(sheet.getByRole('button', { name: 'Photo or file' })).toBeVisible();
  await expect(sheet.getByRole('button', { name: 'Send later' })).toHaveCount(0);
  await page.touchscreen.tap(200, 20);
  await expect(feed(page)).toBeVisible();
});
