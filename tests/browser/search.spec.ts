import { expect, test } from '@playwright/test';
import { feed, message, type Person, signIn } from './people.ts';

let ana: Person;

test.beforeAll(async ({ browser }) => {
  ana = await signIn(browser, /Ana Ribeiro/);
});
test.afterAll(() => ana.context.close());

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
