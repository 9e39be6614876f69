import { expect, type Page, test } from '@playwright/test';
import { violations } from './axe.ts';
import { asServer, composer, fresh, message, openConversation, ownChannel } from './people.ts';

const sayByTouch = async (page: Page, words: string): Promise<string> => {
  await page.goto('/');
  await page.getByRole('button', { name: /Ana Ribeiro/ }).click();
  await openConversation(page, 'general');
  const text = fresh(words);
  await composer(page).fill(text);
  await page.getByRole('main').getByRole('button', { name: 'Send', exact: true }).click();
  await expect(message(page, text)).toBeVisible();
  return text;
};

test('W2 on a phone: list, conversation, back', async ({ page }) => {
  await sayByTouch(page, 'From the phone');

  const box = await composer(page).boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  await page.getByRole('button', { name: 'Back' }).click();

  await expect(page.getByRole('navigation', { name: 'Conversations' })).toBeVisible();
  await expect(composer(page)).toBeHidden();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});

test('W2 on a phone the list, a search and a panel are each the main part of the page, with a heading', async ({
  page,
}) => {
  const { cid } = await ownChannel('Inviting', ['bo']);
  await asServer().channels.update(cid, { invites: ['ana'] });
  await page.goto('/');
  await page.getByRole('button', { name: /Ana Ribeiro/ }).click();
  await expect(page.getByRole('heading', { name: 'Chats', level: 1 })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Invitations', level: 2 })).toBeVisible();
  await expect(page.getByRole('link', { name: /general/ })).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Search', exact: true }).tap();
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Close search' }).tap();

  await openConversation(page, 'general');
  await page.getByRole('button', { name: 'Members', exact: true }).tap();
  await expect(page.getByRole('main', { name: 'Members' }).getByRole('listitem').first()).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test('M4 a finger that rests on a message opens its sheet, and chooses nothing when it lifts', async ({
  page,
  context,
}) => {
  const text = await sayByTouch(page, 'Hold this');
  const touch = await context.newCDPSession(page);
  const sheet = page.getByRole('dialog', { name: 'Message actions' });

  // Where the sheet will be: what lies under the finger then must not be chosen.
  const at = await message(page, text).getByText(text).boundingBox();
  const touchPoints = [{ x: (at?.x ?? 0) + (at?.width ?? 0) / 2, y: (at?.y ?? 0) + (at?.height ?? 0) / 2 }];
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await expect(sheet).toBeVisible();
  // The finger rests; when it lifts, a click would follow at once and choose.
  await page.waitForTimeout(300);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await page.waitForTimeout(300);

  await expect(sheet).toBeVisible();
  await sheet.getByRole('button', { name: /Pin for a while/ }).tap();
  await expect(page.getByRole('radio', { name: '1 hour' })).toBeVisible();
});
