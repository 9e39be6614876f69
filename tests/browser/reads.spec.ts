import { expect, test } from '@playwright/test';
import { act, conversation, fresh, message, openConversation, type Person, say, signIn } from './people.ts';

let ana: Person;
let bo: Person;

test.beforeAll(async ({ browser }) => {
  ana = await signIn(browser, /Ana Ribeiro/);
  bo = await signIn(browser, /Bo Lindqvist/);
  await openConversation(ana.page, 'Bo Lindqvist');
  await openConversation(bo.page, 'Ana Ribeiro');
});
test.afterAll(async () => {
  await ana.context.close();
  await bo.context.close();
});

test('M10 the info of a message says who has read it, and when', async () => {
  const text = fresh('Who saw this?');
  await say(ana.page, text);
  await bo.page.bringToFront();
  await expect(message(bo.page, text)).toBeVisible();
  await expect(ana.page.getByRole('main').getByText('Read', { exact: true })).toBeVisible();

  await act(ana.page, text, /^Message info$/);

  const readers = ana.page.getByRole('region', { name: 'Read by' });
  await expect(readers).toContainText('Bo Lindqvist');
  await expect(readers).toContainText('1 of 1');
  await ana.page.keyboard.press('Escape');
});

test('M10 marked unread it stays so, in list, title and icon, and the app says why', async () => {
  const text = fresh('Read me later');
  await say(ana.page, text);
  await bo.page.bringToFront();
  await act(bo.page, text, /^Mark as unread$/);

  await expect(conversation(bo.page, 'Ana Ribeiro').getByRole('img', { name: /1 unread/ })).toBeVisible();
  await expect(bo.page).toHaveTitle(/^\(\d+\+?\) Parley/);
  const icon = bo.page.locator('link[rel=icon]');
  await expect(icon).toHaveAttribute('href', /circle/);
  await bo.page.getByRole('button', { name: /account and settings/ }).click();
  await bo.page.getByRole('menuitem', { name: 'What is unread, and why' }).click();
  const why = bo.page.getByRole('region', { name: /1 unread in Ana Ribeiro/ });
  await expect(why).toContainText('You marked it unread yourself');
  await expect(why).toContainText(text);
});
