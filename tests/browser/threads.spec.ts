import { expect, type Page, test } from '@playwright/test';
import { act, fresh, message, openConversation, type Person, say, signIn } from './people.ts';

let ana: Person;
let bo: Person;

test.beforeAll(async ({ browser }) => {
  ana = await signIn(browser, /Ana Ribeiro/);
  bo = await signIn(browser, /Bo Lindqvist/);
});

test.afterAll(async () => {
  await ana.context.close();
  await bo.context.close();
});

const panel = (page: Page) => page.getByRole('complementary', { name: 'Thread' });
const answer = async (page: Page, text: string) => {
  await panel(page).getByRole('textbox').fill(text);
  await panel(page).getByRole('textbox').press('Enter');
  await expect(panel(page).getByRole('article').filter({ hasText: text })).toBeVisible();
};

test('M6 a reply comes to the inbox of who asked, counts as unread there, and opens by its link', async () => {
  const [question, reply] = [fresh('Which harbour?'), fresh('The old one')];
  await openConversation(ana.page, 'Bo Lindqvist');
  await openConversation(bo.page, 'Ana Ribeiro');
  await say(ana.page, question);
  await ana.page.goto('/');

  await act(bo.page, question, /Reply in thread/);
  await answer(bo.page, reply);

  const entry = ana.page.getByRole('link', { name: /^Threads/ });
  await expect(entry).toContainText(/[1-9]/);
  await entry.click();
  const row = ana.page.getByRole('main').getByRole('listitem').filter({ hasText: question });
  await expect(row).toContainText(reply);
  await expect(row.getByRole('img', { name: '1 unread message' })).toBeVisible();
  await row.getByRole('button').click();
  await expect(panel(ana.page).getByRole('article').filter({ hasText: reply })).toBeVisible();
  await expect(ana.page).toHaveURL(/[?&]thread=/);

  await ana.page.reload();
  await expect(panel(ana.page).getByRole('article').filter({ hasText: question })).toBeVisible();
  await ana.page.getByRole('link', { name: /^Threads/ }).click();
  await expect(row).toBeVisible();
  await expect(row.getByRole('img', { name: /unread/ })).toHaveCount(0);
});

test('M6 a reply goes to the channel as well when asked to', async () => {
  const [question, reply] = [fresh('Who brings bread?'), fresh('I do')];
  await openConversation(ana.page, 'Bo Lindqvist');
  await say(ana.page, question);
  await act(bo.page, question, /Reply in thread/);

  await panel(bo.page)
    .getByRole('checkbox', { name: /Also send to/ })
    .check();
  await answer(bo.page, reply);

  await expect(message(ana.page, reply)).toBeVisible();
  await expect(panel(bo.page).getByRole('checkbox')).not.toBeChecked();
});
