import { expect, type Page, test } from '@playwright/test';
import { fresh, goOffline, leave, message, openConversation, say, signIn } from './people.ts';

const missing = (page: Page) => page.getByText("Couldn't load this part of the app.");

test('W2 search opened without a network says so, keeps the letters, can be closed, and comes by itself', async ({
  browser,
}) => {
  const ana = await signIn(browser, /Ana Ribeiro/);
  const { page } = ana;
  await openConversation(page, 'general');
  await goOffline(page);
  const open = page.getByRole('button', { name: 'Search', exact: true });

  await open.click();
  await expect(missing(page)).toBeVisible();
  await page.getByRole('search').getByRole('button', { name: 'Close' }).click();
  await open.click();
  await page.keyboard.type('goo');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(missing(page)).toBeVisible();
  await page.getByRole('searchbox').focus();
  await page.context().setOffline(false);

  const field = page.getByRole('combobox', { name: 'Search' });
  await expect(field).toBeFocused();
  await page.keyboard.type('se');
  await expect(field).toHaveValue('goose');
  await expect(page.getByRole('option').first()).toBeVisible();
  await leave(ana);
});

test('W2 letters typed while search loads on a slow network are searched for', async ({ browser }) => {
  const ana = await signIn(browser, /Ana Ribeiro/);
  const { page } = ana;
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(/\/assets\/search-.*\.js/, async (route) => {
    await held;
    await route.continue();
  });

  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByRole('search').getByRole('status')).toBeVisible();
  await page.keyboard.type('goose');
  letGo();

  await expect(page.getByRole('combobox', { name: 'Search' })).toHaveValue('goose');
  await expect(page.getByRole('option').first()).toBeVisible();
  await leave(ana);
});

for (const { tool, name, shown } of [
  { tool: 'Members', name: 'Members', shown: /Search members/ },
  { tool: 'Media and files', name: 'Media and files', shown: /Files/ },
])
  test(`W2 ${name} opened without a network can be closed, and comes by itself`, async ({ browser }) => {
    const ana = await signIn(browser, /Ana Ribeiro/);
    const { page } = ana;
    await openConversation(page, 'general');
    await goOffline(page);
    const panel = page.getByRole('complementary', { name });
    const button = page.getByRole('main').getByRole('button', { name: tool, exact: true });

    await button.click();
    await expect(panel.getByRole('alert')).toContainText("Couldn't load");
    await panel.getByRole('button', { name: 'Close' }).click();
    await expect(panel).toHaveCount(0);
    await button.click();
    await expect(panel.getByRole('alert')).toBeVisible();
    await page.context().setOffline(false);

    await expect(panel.getByRole('alert')).toHaveCount(0);
    await expect(
      panel.getByRole('searchbox', { name: shown }).or(panel.getByRole('tab', { name: shown })),
    ).toBeVisible();
    await leave(ana);
  });

test('W2 threads opened without a network come by themselves with their styles, and nothing offers to reload', async ({
  browser,
}) => {
  const ana = await signIn(browser, /Ana Ribeiro/);
  const { page } = ana;
  await openConversation(page, 'general');
  await goOffline(page);
  const words = fresh('Waits for the network');
  await say(page, words);

  await page.getByRole('link', { name: /^Threads/ }).click();
  await expect(missing(page)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reload' })).toHaveCount(0);
  await page.context().setOffline(false);

  const row = page.getByRole('main').getByRole('listitem').first().getByRole('button');
  await expect(row).toBeVisible();
  await expect(row).toHaveCSS('display', 'grid');
  await openConversation(page, 'general');
  await expect(page.getByRole('article').filter({ hasText: words })).toBeVisible();
  await expect(page.getByText('Waiting for connection')).toHaveCount(0);
  await leave(ana);
});

test('W2 a part that a deployment has removed offers to reload, but not while a message waits to be sent', async ({
  browser,
}) => {
  const ana = await signIn(browser, /Ana Ribeiro/);
  const { page } = ana;
  await openConversation(page, 'general');
  await page.route(/\/assets\/search-.*\.js/, (route) => route.fulfill({ status: 404, body: '' }));
  await page.route(/\/message$/, (route) => route.abort());
  const words = fresh('Waits for its turn');
  await say(page, words);
  const reload = page.getByRole('button', { name: 'Reload' });
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(missing(page)).toBeVisible();
  // Longer than the app takes to look what waits.
  await page.waitForTimeout(1500);
  await expect(reload).toHaveCount(0);

  await page.unroute(/\/message$/);
  await expect(message(page, words)).not.toContainText(/Waiting|Sending/);
  await page.unroute(/\/assets\/search-.*\.js/);
  await reload.click();
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeVisible();
  await expect(reload).toHaveCount(0);
  await leave(ana);
});
