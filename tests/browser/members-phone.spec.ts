import { expect, test } from '@playwright/test';
import { openConversation, signIn } from './people.ts';

test('M14 on a phone the members fill the screen, and one gets back', async ({ browser }) => {
  const { page, context } = await signIn(browser, /Bo Lindqvist/, { viewport: { width: 390, height: 844 } });
  await openConversation(page, 'general');
  await page.getByRole('button', { name: 'Members', exact: true }).click();

  const panel = page.getByRole('main', { name: 'Members' });
  await expect(panel.getByRole('listitem').first()).toBeVisible();
  expect((await panel.boundingBox())?.width).toBe(390);
  await expect(page.getByRole('main', { name: 'Conversation' })).toBeHidden();
  await expect(panel.getByRole('button', { name: 'Close' })).toHaveCount(0);
  await panel.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('main', { name: 'Conversation' })).toBeVisible();
  await context.close();
});
