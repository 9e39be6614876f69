import { expect, type Locator, type Page, test } from '@playwright/test';
import { violations } from './axe.ts';
import {
  act,
  asServer,
  composer,
  fresh,
  message,
  openConversation,
  type Person,
  say,
  signIn,
} from './people.ts';
import { openSite, type Site } from './preview-site.ts';

let site: Site;
let inside: Site;
let ana: Person;

test.beforeAll(async ({ browser }) => {
  site = await openSite(Number(process.env.PARLEY_BROWSER_SITE));
  inside = await openSite();
  ana = await signIn(browser, /Ana Ribeiro/);
  await openConversation(ana.page, 'Bo Lindqvist');
});

test.afterAll(async () => {
  await ana.context.close();
  await Promise.all([site.stop(), inside.stop()]);
});

const cards = (place: Page | Locator) =>
  place.getByRole('list', { name: 'Link previews' }).getByRole('listitem');

/** The message as the others get it. */
const carried = async (page: Page, text: string) => {
  const id = await message(page, text).locator('xpath=ancestor::*[@data-key][1]').getAttribute('data-key');
  const stored = async () => (await asServer().messages.get(id ?? '')).attachments;
  // The preview may still be loading.
  await expect(stored).toPass({ timeout: 10_000 });
  return stored();
};

/** Milliseconds from the last key before it to each request, as the browser saw both. */
const asked = (page: Page, url: string) =>
  page.evaluate((part) => {
    const keys = (document.documentElement.dataset.keys ?? '').split(' ').map(Number);
    const all = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/og?'));
    return all
      .filter(({ name }) => decodeURIComponent(name).includes(part))
      .map(({ startTime }) => startTime - Math.max(...keys.filter((key) => key <= startTime)));
  }, url);

test('A4 a link is looked up 1500 ms after the last key; its card goes with the message', async ({
  browser,
}) => {
  const bo = await signIn(browser, /Bo Lindqvist/);
  await openConversation(bo.page, 'Ana Ribeiro');
  const { page } = ana;
  await page.evaluate(() =>
    document.addEventListener('input', ({ timeStamp }) => {
      document.documentElement.dataset.keys += ` ${timeStamp}`;
    }),
  );
  const url = `${site.url}/Tides`;
  const words = fresh('look at this');

  await composer(page).fill(url);
  for (const key of ` ${words}`) {
    // Keys come as a person types: each puts the look-up off.
    await page.waitForTimeout(90);
    await composer(page).press(key);
  }
  await expect(cards(page)).toHaveText([/Tides.*The Harbour Post · All there is to know of Tides/]);
  const waited = await asked(page, url);
  expect(waited).toHaveLength(1);
  expect(waited[0]).toBeGreaterThanOrEqual(1490);

  await composer(page).press('Enter');
  await expect(message(bo.page, words)).toBeVisible();
  await expect(cards(page)).toHaveCount(0);
  expect(await carried(bo.page, words)).toMatchObject([
    { type: 'article', title: 'Tides', og_scrape_url: url, title_link: url, author_name: 'The Harbour Post' },
  ]);
  await bo.context.close();
});

test('A4 of two links one is dismissed, stays dismissed, and only the other is sent', async () => {
  const { page } = ana;
  const words = fresh('both of them');
  await composer(page).fill(`${site.url}/Boats and ${site.url}/Nets ${words}`);
  await expect(cards(page)).toHaveText([/Boats/, /Nets/]);
  expect(await violations(page, { within: 'main' })).toEqual([]);

  const remove = page.getByRole('button', { name: 'Remove the preview of Boats' });
  await remove.focus();
  await page.keyboard.press('Enter');
  await expect(cards(page)).toHaveText([/Nets/]);
  await composer(page).press('End');
  await composer(page).pressSequentially(' more');
  await openConversation(page, 'general');
  await openConversation(page, 'Bo Lindqvist');
  // A look-up begins after 1500 ms: none may.
  await page.waitForTimeout(2000);
  await expect(cards(page)).toHaveText([/Nets/]);
  expect(site.hits.filter((path) => path === '/Boats')).toHaveLength(1);

  await composer(page).press('Enter');
  await expect(message(page, words)).toBeVisible();
  await expect.poll(() => carried(page, words)).toMatchObject([{ title: 'Nets' }]);
});

test('A4 a site that fails says nothing and holds nothing up; nothing inside is read', async () => {
  const { page } = ana;
  const words = fresh('no cards here');
  const answers: number[] = [];
  const links = [`${site.url}/none`, `${inside.url}/Secret`, 'http://127.0.0.1:22/'];
  page.on('response', (reply) => {
    const { pathname, searchParams } = new URL(reply.url());
    // A draft that another test left has links of its own.
    if (pathname.endsWith('/og') && links.includes(searchParams.get('url') ?? ''))
      answers.push(reply.status());
  });
  await composer(page).fill(`${links.join(' ')} ${words}`);

  await expect.poll(() => answers.length).toBe(3);
  expect(answers.every((status) => status === 400 || status === 404)).toBe(true);
  await expect(cards(page)).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await composer(page).press('Enter');
  await expect(message(page, words)).toBeVisible();
  await expect.poll(() => carried(page, words)).toEqual([]);
  expect(inside.hits).toEqual([]);
});

test('A4 the request for a preview is cancelled when the link is gone, and sending does not wait', async () => {
  const { page } = ana;
  let held = 0;
  const failed: string[] = [];
  await page.route(/\/og\?/, () => void held++);
  page.on('requestfailed', (request) => void failed.push(request.failure()?.errorText ?? ''));
  await composer(page).fill(`${site.url}/Gone`);
  await expect(cards(page)).toHaveText([/Looking up 127\.0\.0\.1/]);

  await composer(page).fill('never mind');
  await expect(cards(page)).toHaveCount(0);
  await expect.poll(() => failed).toContain('net::ERR_ABORTED');
  const words = fresh('not waiting');
  await composer(page).fill(`${site.url}/Late ${words}`);
  await expect.poll(() => held).toBe(2);
  await composer(page).press('Enter');
  await expect(message(page, words)).toBeVisible();
  expect(await carried(page, words)).toEqual([]);
  await page.unroute(/\/og\?/);
});

test('A4 an edit asks only for new links, and a card leaves with its link', async () => {
  const { page } = ana;
  const words = fresh('to be changed');
  await composer(page).fill(`${site.url}/Old ${words}`);
  await expect(cards(page)).toHaveText([/Old/]);
  await composer(page).press('Enter');
  await expect.poll(() => carried(page, words)).toMatchObject([{ title: 'Old' }]);

  await act(page, words, /^Edit/);
  await expect(cards(page)).toHaveText([/Old/]);
  await composer(page).fill(`${site.url}/New ${words}`);
  await expect(cards(page)).toHaveText([/New/]);
  await composer(page).press('Enter');

  await expect.poll(() => carried(page, words)).toMatchObject([{ title: 'New' }]);
  expect(await carried(page, words)).toHaveLength(1);
  expect(site.hits.filter((path) => path === '/Old')).toHaveLength(1);
});

test('A4 in a thread as well, and not where the channel looks up no links', async () => {
  const { page } = ana;
  const words = fresh('a thread of links');
  await say(page, words);
  await act(page, words, /Reply in thread/);
  const panel = page.getByRole('complementary', { name: 'Thread' });
  await panel.getByRole('textbox').fill(`${site.url}/Reply`);
  await expect(cards(panel)).toHaveText([/Reply/]);
  await panel.getByRole('textbox').press('Enter');
  await expect(cards(panel)).toHaveCount(0);

  const { channelTypes } = asServer();
  await channelTypes.update('team', { url_enrichment: false });
  try {
    await page.reload();
    await openConversation(page, 'random');
    await composer(page).fill(`${site.url}/Off`);
    // A look-up begins after 1500 ms: none may.
    await page.waitForTimeout(2500);
    expect(site.hits).not.toContain('/Off');
    await say(page, fresh('nothing looked up'));
  } finally {
    await channelTypes.update('team', { url_enrichment: true });
  }
});
