import { expect, type Page, test } from '@playwright/test';
import { composer, fresh, message, openConversation } from './people.ts';

const list = (page: Page) => page.getByRole('navigation', { name: 'Conversations' });

const enter = async (page: Page) => {
  await page.goto('/');
  await page.getByRole('button', { name: /Ana Ribeiro/ }).click();
  await openConversation(page, 'general');
};

test('W2 on a phone Back closes the panel, then the conversation; forward and reload show what the address says', async ({
  page,
}) => {
  await enter(page);
  await page.getByRole('button', { name: 'Members', exact: true }).tap();
  const members = page.getByRole('main', { name: 'Members' });
  await expect(members).toBeVisible();
  await page.reload();
  await expect(members).toBeVisible();

  await page.goBack();
  await expect(composer(page)).toBeVisible();
  await page.goBack();
  await expect(list(page)).toBeVisible();
  await expect(composer(page)).toBeHidden();
  await page.goForward();
  await expect(composer(page)).toBeVisible();
});

test('M4 on a phone Back closes the sheet of a message, and its buttons leave no step behind', async ({
  page,
  context,
}) => {
  await enter(page);
  const text = fresh('Back on the phone');
  await composer(page).fill(text);
  await page.getByRole('main').getByRole('button', { name: 'Send', exact: true }).click();
  await expect(message(page, text)).toBeVisible();
  const touch = await context.newCDPSession(page);
  const sheet = page.getByRole('dialog', { name: 'Message actions' });
  const at = await message(page, text).getByText(text).boundingBox();
  const touchPoints = [{ x: (at?.x ?? 0) + (at?.width ?? 0) / 2, y: (at?.y ?? 0) + (at?.height ?? 0) / 2 }];
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await expect(sheet).toBeVisible();
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });

  await page.goBack();
  await expect(sheet).toBeHidden();
  await expect(composer(page)).toBeVisible();
  await page.goBack();
  await expect(list(page)).toBeVisible();
});

test('M13 on a phone a result leads to its message, Back to the results, and Back again to the list', async ({
  page,
}) => {
  await page.goto('/');
  await page.getByRole('button', { name: /Ana Ribeiro/ }).click();
  await page.getByRole('button', { name: 'Search', exact: true }).tap();
  const field = page.getByRole('combobox', { name: 'Search' });
  await field.fill('goose');
  await page.getByRole('group', { name: 'Messages' }).getByRole('option').first().tap();
  await expect(composer(page)).toBeVisible();

  await page.goBack();
  await expect(field).toHaveValue('goose');
  await page.goBack();
  await expect(field).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Chats' })).toBeVisible();
});

test('W2 on a phone the switcher is behind a button, and Back from its conversation leads to the list', async ({
  page,
}) => {
  await enter(page);
  await page.getByRole('button', { name: 'Back' }).tap();
  await page.getByRole('button', { name: 'Go to…' }).tap();
  await expect(page.getByRole('combobox', { name: /person or action/ })).toBeFocused();
  await page.keyboard.type('random');
  await page.getByRole('option', { name: 'random' }).first().tap();
  await expect(composer(page)).toBeVisible();

  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Chats' })).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
});
