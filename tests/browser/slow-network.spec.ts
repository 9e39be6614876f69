import { randomBytes } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { asServer, fresh } from './people.ts';
import { openWindow } from './windows.ts';

/** The speed of a slow 4G network, as the tools of Chromium have it. */
const slow = { offline: false, latency: 563, downloadThroughput: 175_000, uploadThroughput: 90_000 };

const list = (page: Page) =>
  page.getByRole('navigation', { name: 'Conversations' }).locator('a[href^="/c/"]');

/** Somebody whose list takes longer to load than the time limit of a call: its texts cannot be compressed. */
const personWithLongTexts = async (): Promise<{ id: string; last: string }> => {
  const server = asServer();
  const id = fresh('slow').replace(' ', '-');
  await server.users.upsert([{ id, name: 'Somebody far away' }]);
  const send = async (at: number) => {
    const channel = `${id}-${at}`;
    await server.channels.create('team', channel, { name: `Place ${at}`, created_by_id: id, members: [id] });
    for (let count = 0; count < 3; count++)
      await server.messages.send(`team:${channel}`, id, { text: randomBytes(12_000).toString('base64') });
  };
  for (let at = 0; at < 16; at += 4) await Promise.all([0, 1, 2, 3].map((more) => send(at + more)));
  const last = fresh('The newest');
  await server.messages.send(`team:${id}-15`, id, { text: last });
  return { id, last };
};

test('W2 on 563 ms and 1.4 Mbit/s a list of 700 kB loads, and what is there is shown before the rest', async ({
  browser,
}) => {
  const { id, last } = await personWithLongTexts();
  const { page, context } = await openWindow(browser);
  await page.evaluate(
    (value) => localStorage.setItem('parley.session', value),
    JSON.stringify({ kind: 'user', id }),
  );
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', slow);
  let size = 0;
  page.on('response', async (response) => {
    if (!response.url().includes('/api/channels?')) return;
    size = Math.max(size, (await response.body().catch(() => '')).length);
  });

  await page.goto(`/c/team/${id}-15`);
  await expect(list(page).first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('main').getByRole('article').filter({ hasText: last })).toBeVisible();

  await expect(list(page)).toHaveCount(16);
  await expect.poll(() => size).toBeGreaterThan(700_000);
  await context.close();
});

test('W2 a list that could not be loaded says so, and "Try again" loads it', async ({ browser }) => {
  const { page, context } = await openWindow(browser);
  const session = JSON.stringify({ kind: 'user', id: 'ana' });
  await page.evaluate((value) => localStorage.setItem('parley.session', value), session);
  // A refusal is final: after a failure of the network the list would come by itself, maybe before the press.
  const refusal = { code: 17, message: 'Not now', StatusCode: 403 };
  await page.route(/\/api\/channels(\?|$)/, (route) => route.fulfill({ status: 403, json: refusal }));
  await page.goto('/');
  const again = page.getByRole('button', { name: 'Try again' });
  await expect(again.first()).toBeVisible();
  await page.unroute(/\/api\/channels(\?|$)/);
  await again.first().click();

  await expect(list(page).first()).toBeVisible();
  await context.close();
});
