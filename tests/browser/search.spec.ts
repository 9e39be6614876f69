import { expect, test } from '@playwright/test';
import { act, anaAndBo, feed, fresh, leave, message, openConversation, type Person, say } from './people.ts';

let ana: Person;
let bo: Person;

test.beforeAll(async ({ browser }) => {
  ({ ana, bo } = await anaAndBo(browser));
});
test.afterAll(() => leave(ana, bo));

const field = () => ana.page.getByRole('combobox', { name: 'Search' });
const options = () => ana.page.getByRole('option');

test('M13 words are found, marked, and lead to the message even when it is not loaded', async () => {
  const { page } = ana;
  await page.getByRole('button', { name: 'Search' }).click();
  await field().fill('whatever-it-is-in-auckland');
  const hit = options().filter({ hasText: 'Ana Ribeiro' }).first();
  await expect(hit.locator('mark').first()).toBeVisible();

  await field().press('ArrowDown');
  await field().press('Enter');

  await expect(message(page, 'Good morning, good evening')).toBeInViewport();
  await expect(page).toHaveURL(/\/c\/team\/general\?m=/);
  await expect(feed(page)).toBeVisible();
});

test('M13 filters, channels and people stand in groups; Escape leads back', async () => {
  const { page } = ana;
  await page.keyboard.press('Control+f');
  await field().fill('goose');
  const messages = page.getByRole('group', { name: 'Messages' }).getByRole('option');
  await expect(messages.filter({ hasText: /goose/i }).first()).toBeVisible();
  await page.getByRole('button', { name: 'From…' }).click();
  await page.keyboard.type('Bo');
  const whose = page.getByRole('group', { name: 'Whose messages?' });
  await whose.getByRole('option').filter({ hasText: 'Bo Lindqvist' }).click();
  await expect(page.getByRole('button', { name: 'Remove the filter from:bo' })).toBeVisible();
  await expect(options().filter({ hasText: 'There is a goose' })).toBeVisible();
  await expect(messages.filter({ hasNotText: 'Bo Lindqvist' })).toHaveCount(0);

  await field().fill('random');
  await expect(page.getByRole('group', { name: 'Channels' }).getByRole('option').first()).toBeVisible();
  await field().fill('Yuki');
  await expect(page.getByRole('group', { name: 'People' }).getByRole('option').first()).toBeVisible();
  await field().fill('zzzznothing');
  await expect(page.getByText('Nothing found')).toBeVisible();
  await field().press('Escape');
  await expect(page.getByRole('button', { name: 'Search' })).toBeVisible();
});

test('M13 W2 from right to left a result names its place before its time, and all its lines begin at one side', async () => {
  const { page } = ana;
  await page.keyboard.press('Control+f');
  await field().fill('whatever-it-is-in-auckland');
  const hit = options().filter({ has: page.getByText('general', { exact: true }) });
  await expect(hit.first()).toBeVisible();
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));

  const place = await hit.first().getByText('general', { exact: true }).boundingBox();
  const time = await hit.first().locator('time').boundingBox();

  expect((time?.x ?? 1e9) + (time?.width ?? 0)).toBeLessThanOrEqual(place?.x ?? 0);
  await expect(hit.first().locator('mark').first().locator('xpath=..')).toHaveCSS('text-align', 'right');
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'ltr'));
  await field().press('Escape');
});

test('M13 a message of another is found a moment later, without accents and by a part of a sentence', async () => {
  const mark = fresh('x').slice(2);
  await openConversation(bo.page, 'Ana Ribeiro');
  await say(bo.page, `Le café brûlé de Zoë ${mark}`);
  await say(bo.page, `明日は東京都に行きます ${mark}`);
  await ana.page.keyboard.press('Control+f');

  await field().fill(`cafe brule ${mark}`);
  await expect(options().locator('mark')).toHaveText(['café', 'brûlé', mark]);
  await field().fill(`京都に ${mark}`);
  await expect(options().locator('mark')).toHaveText(['京都に', mark]);
  await field().press('Escape');
});

test('M13 a reply is found and opens in its thread, at itself', async () => {
  const [question, reply] = [fresh('Which boat?'), fresh('The one with sails')];
  await openConversation(bo.page, 'Ana Ribeiro');
  await say(bo.page, question);
  await act(bo.page, question, /Reply in thread/);
  const thread = (page: Person['page']) => page.getByRole('complementary', { name: 'Thread' });
  await thread(bo.page).getByRole('textbox').fill(reply);
  await thread(bo.page).getByRole('textbox').press('Enter');
  await expect(thread(bo.page).getByRole('article').filter({ hasText: reply })).toBeVisible();

  await ana.page.keyboard.press('Control+f');
  await field().fill(reply);
  await options().filter({ hasText: 'in a thread' }).first().click();

  await expect(thread(ana.page).getByRole('article').filter({ hasText: reply })).toBeInViewport();
  await expect(message(ana.page, question)).toBeVisible();
  await expect(ana.page).toHaveURL(/thread=.*m=|m=.*thread=/);
  await ana.page.keyboard.press('Escape');
});
