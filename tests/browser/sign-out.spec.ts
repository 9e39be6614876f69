import { expect, type Page, test } from '@playwright/test';
import { fresh, goOffline, leave, message, openConversation, say, signIn } from './people.ts';

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: /account and settings/ }).click();
  await page.getByRole('menuitem', { name: /^Sign out/ }).click();
};
const question = (page: Page) => page.getByRole('dialog', { name: /not sent yet/ });
const people = (page: Page) => page.getByRole('button', { name: /Bo Lindqvist/ });

test('M4 a sign-out that would lose messages asks first, and they stay when it is cancelled', async ({
  browser,
}) => {
  const priya = await signIn(browser, /Priya Raman/);
  const { page } = priya;
  await openConversation(page, 'general');
  await say(page, fresh('Already there'));
  await goOffline(page);
  const words = fresh('Not gone yet');
  await say(page, words);
  await signOut(page);
  await expect(question(page)).toBeVisible();
  await page.goBack();
  await expect(question(page)).toBeHidden();
  await expect(message(page, words)).toBeVisible();
  await signOut(page);
  await question(page).getByRole('button', { name: 'Cancel' }).click();

  await page.context().setOffline(false);
  await expect(message(page, words)).not.toContainText(/Waiting|Sending/);
  await signOut(page);
  await expect(people(page)).toBeVisible();
  await expect(question(page)).toBeHidden();
  await leave(priya);
});

test('W1 a sign-out that is confirmed leaves nothing of the messages that wait', async ({ browser }) => {
  const priya = await signIn(browser, /Priya Raman/);
  const { page } = priya;
  await openConversation(page, 'general');
  await goOffline(page);
  const words = fresh('Never sent');
  await say(page, words);
  await signOut(page);
  await question(page).getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Who are you today?' })).toBeVisible();

  await expect
    .poll(() => page.evaluate(() => Object.values({ ...localStorage }).join(' ')))
    .not.toContain(words);
  await leave(priya);
});
