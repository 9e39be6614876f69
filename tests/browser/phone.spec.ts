import { expect, test } from '@playwright/test';
import { composer, fresh, message, openConversation } from './people.ts';

test('W2 on a phone: list, conversation, back', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: /Ana Ribeiro/ }).click();
  await openConversation(page, 'general');
  const text = fresh('From the phone');
  await composer(page).fill(text);
  await page.getByRole('main').getByRole('button', { name: 'Send', exact: true }).click();
  await expect(message(page, text)).toBeVisible();

  const box = await composer(page).boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  await page.getByRole('button', { name: 'Back' }).click();

  await expect(page.getByRole('navigation', { name: 'Conversations' })).toBeVisible();
  await expect(composer(page)).toBeHidden();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
