import { expect, type Page, test } from '@playwright/test';
import {
  act,
  anaAndBo,
  asServer,
  fresh,
  leave,
  message,
  openConversation,
  ownChannel,
  type Person,
  say,
  signIn,
} from './people.ts';

let ana: Person;
let bo: Person;

test.beforeAll(async ({ browser }) => {
  ({ ana, bo } = await anaAndBo(browser));
});

test.afterAll(() => leave(ana, bo));

const panel = (page: Page) => page.getByRole('complementary', { name: 'Thread' });
const answer = async (page: Page, text: string) => {
  await panel(page).getByRole('textbox').fill(text);
  await panel(page).getByRole('textbox').press('Enter');
  await expect(panel(page).getByRole('article').filter({ hasText: text })).toBeVisible();
};

/** Waits for the message itself: the panel of a journey before may still be there. */
const openThread = async (page: Page, question: string) => {
  await act(page, question, /Reply in thread/);
  await expect(panel(page).getByRole('article').filter({ hasText: question })).toBeVisible();
};

test('M6 a reply comes to the inbox of who asked, counts as unread there, and opens by its link', async () => {
  const [question, reply] = [fresh('Which harbour?'), fresh('The old one')];
  await openConversation(ana.page, 'Bo Lindqvist');
  await openConversation(bo.page, 'Ana Ribeiro');
  await say(ana.page, question);
  await ana.page.goto('/');

  await openThread(bo.page, question);
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
  await openThread(bo.page, question);

  await panel(bo.page)
    .getByRole('checkbox', { name: /Also send to/ })
    .check();
  await answer(bo.page, reply);

  await expect(message(ana.page, reply)).toBeVisible();
  await expect(panel(bo.page).getByRole('checkbox')).not.toBeChecked();
});

test('M6 the author of a thread names it; the other sees the name and may not change it', async () => {
  const [question, name] = [fresh('Where do we eat?'), fresh('Dinner')];
  await openConversation(ana.page, 'Bo Lindqvist');
  await openConversation(bo.page, 'Ana Ribeiro');
  await say(ana.page, question);
  await openThread(bo.page, question);
  await answer(bo.page, fresh('At home'));
  await openThread(ana.page, question);

  await panel(ana.page).getByRole('button', { name: 'Rename thread' }).click();
  await ana.page.getByRole('dialog').getByRole('textbox').fill(name);
  await ana.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();

  for (const { page } of [ana, bo])
    await expect(panel(page).getByRole('heading', { name: new RegExp(name) })).toBeVisible();
  await expect(panel(bo.page).getByRole('button', { name: 'Rename thread' })).toHaveCount(0);
});

test('M6 a link to a reply opens its thread at it, however far back it is', async () => {
  const question = fresh('Count with me');
  // Nobody looks on: two pages that draw every reply as it comes take most of the journey's time.
  for (const { page } of [ana, bo]) await page.goto('/healthz');
  const { cid, path } = await ownChannel('Counted', ['ana', 'bo']);
  const server = asServer();
  const { id } = await server.messages.send(cid, 'ana', { text: question });
  const ids: string[] = [];
  for (let n = 1; n <= 120; n += 1)
    ids.push((await server.messages.send(cid, 'bo', { text: `number ${n}.`, parent_id: id })).id);

  await ana.page.goto(`/c/${path.type}/${path.id}?thread=${id}&m=${ids[4]}`);

  const reply = (text: string) => panel(ana.page).getByRole('article').filter({ hasText: text });
  await expect(reply('number 5.')).toBeInViewport();
  await expect(reply('number 120.')).toHaveCount(0);
  await panel(ana.page).getByRole('textbox').fill('the end');
  await panel(ana.page).getByRole('textbox').press('Enter');
  await expect(reply('the end')).toBeInViewport();
  await expect(reply('number 120.')).toBeVisible();
});

test('M6 on a phone the thread fills the screen and leads back', async ({ browser }) => {
  const small = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const { page, context } = await signIn(browser, /Ana Ribeiro/, small);
  const thread = page.getByRole('main', { name: 'Thread' });
  await page.getByRole('link', { name: /^Threads/ }).click();
  await page.getByRole('main').getByRole('listitem').first().getByRole('button').click();

  await expect(thread.getByRole('textbox')).toBeVisible();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await expect(thread.getByRole('button', { name: 'Close' })).toHaveCount(0);
  await thread.getByRole('button', { name: 'Back' }).click();
  await expect(thread).toBeHidden();
  await context.close();
});
