import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, expect, type Locator, type Page, test } from '@playwright/test';
import { violations } from './axe.ts';
import {
  act,
  asServer,
  beginChannel,
  composer,
  conversation,
  feed,
  fresh,
  openConversation,
  type Person,
  say,
  signIn,
} from './people.ts';

const berlin = { latitude: 52.52, longitude: 13.405 };
const words = ({ latitude, longitude }: typeof berlin) => `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
const located = { geolocation: berlin, permissions: ['geolocation'] };

let mei: Person;
let bo: Person;
const title = fresh('Whereabouts');

test.beforeAll(async ({ browser }) => {
  mei = await signIn(browser, /Mei-Lin Chou/, located);
  bo = await signIn(browser, /Bo Lindqvist/);
  await beginChannel(mei.page, title, ['Bo Lindqvist']);
  await openConversation(bo.page, title);
});
test.afterAll(async () => {
  await mei.context.close();
  await bo.context.close();
});

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Share location' });
const bubbles = (page: Page) => feed(page).locator('[data-location]');
const last = (page: Page) => bubbles(page).last();
const lastRow = (page: Page) =>
  feed(page)
    .getByRole('article')
    .filter({ has: page.locator('[data-location]') })
    .last();
/** Numbers stand only in the link and in the enlarged map. */
const expectAt = (place: Locator, { latitude, longitude }: typeof berlin) =>
  expect(place.getByRole('link', { name: 'Open in Maps' })).toHaveAttribute(
    'href',
    new RegExp(`mlat=${latitude}&mlon=${longitude}#`),
  );
const banner = (page: Page) => page.locator('[data-share]');

const askToShare = async (page: Page, place = page.getByRole('main')) => {
  await place.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Share location' }).click();
};

const share = async (page: Page, choice: string) => {
  const before = (await bubbles(page).count()) ? await last(page).getAttribute('data-location') : null;
  await askToShare(page);
  await expect(dialog(page).getByRole('img', { name: /^Map: / })).toBeVisible();
  await dialog(page).getByRole('radio', { name: choice }).check();
  await dialog(page).getByRole('button', { name: 'Share', exact: true }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(last(page)).not.toHaveAttribute('data-location', before ?? '');
  return (await last(page).getAttribute('data-location')) ?? '';
};
const accessible = async (page: Page, within: string) =>
  expect(await violations(page, { within })).toEqual([]);

test('P5 a place is shared once: others see it on a map that is drawn here, asking nobody outside', async () => {
  const foreign: string[] = [];
  bo.page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') foreign.push(request.url());
  });
  await askToShare(mei.page);
  await expect(dialog(mei.page).getByRole('img', { name: 'Map: your location' })).toBeVisible();
  await accessible(mei.page, '[role="dialog"]');
  await dialog(mei.page).getByRole('button', { name: 'Cancel' }).click();

  await share(mei.page, 'Current location');

  await expectAt(last(bo.page), berlin);
  await expect(last(bo.page).getByText('Location of Mei-Lin Chou', { exact: true })).toBeVisible();
  await expect(last(bo.page)).not.toContainText(words(berlin));
  await expect(last(bo.page).locator('[data-map="drawn"] path').first()).toBeAttached();
  await expect(last(bo.page).getByRole('button', { name: 'Stop sharing' })).toHaveCount(0);
  await expect(banner(mei.page)).toHaveCount(0);
  await accessible(bo.page, '[data-location]');
  await last(bo.page)
    .getByRole('button', { name: /^Open the map/ })
    .click();
  const map = bo.page.getByRole('dialog', { name: 'Location' });
  await expect(map.getByRole('button', { name: 'Zoom in' })).toBeVisible();
  await expect(map.getByText(words(berlin))).toBeVisible();
  await bo.page.keyboard.press('Escape');
  await expect(map).toBeHidden();
  expect(foreign).toEqual([]);
});

test('P5 lists, quotes and threads show it', async () => {
  const shared = await share(mei.page, 'Current location');
  await expect(conversation(bo.page, title)).toContainText('📍 Location');
  await expect(last(bo.page)).toHaveAttribute('data-location', shared);
  const row = lastRow(bo.page);

  await row.hover();
  await row.getByRole('button', { name: 'Reply', exact: true }).click();
  const answer = fresh('So near');
  await say(bo.page, answer);
  await expect(
    feed(mei.page).getByRole('article').filter({ hasText: answer }).getByText('📍 Location'),
  ).toBeVisible();
  await act(bo.page, answer, /Reply in thread/);
  const panel = bo.page.getByRole('complementary', { name: 'Thread' });
  await bo.context.grantPermissions(['geolocation']);
  await bo.context.setGeolocation({ latitude: -33.86, longitude: 151.21 });
  await askToShare(bo.page, panel);
  await dialog(bo.page).getByRole('button', { name: 'Share', exact: true }).click();
  await expectAt(panel.locator('[data-location]'), { latitude: -33.86, longitude: 151.21 });
  await bo.page.keyboard.press('Escape');
});

test('P5 a live location moves for everyone, goes on after a reload, and stops from the banner', async () => {
  await share(mei.page, 'Live for 15 minutes');
  await expect(last(bo.page)).toContainText('Live location of Mei-Lin Chou');
  await expect(last(bo.page)).toContainText('updated just now');
  await expect(last(bo.page).getByRole('link', { name: 'Open in Maps' })).toHaveAttribute(
    'href',
    /openstreetmap\.org|maps\.apple\.com|^geo:/,
  );
  await expect(banner(mei.page)).toContainText(`You're sharing your live location in ${title} until`);
  await accessible(mei.page, '[data-share]');

  const paris = { latitude: 48.8566, longitude: 2.3522 };
  await mei.context.setGeolocation(paris);
  await expectAt(last(bo.page), paris);
  await mei.page.reload();
  await expect(banner(mei.page)).toBeVisible();
  const rome = { latitude: 41.9028, longitude: 12.4964 };
  await mei.context.setGeolocation(rome);
  await expectAt(last(bo.page), rome);
  await expect(last(bo.page)).toContainText('Live until');
  await banner(mei.page)
    .getByRole('button', { name: `Stop sharing in ${title}` })
    .click();

  await expect(banner(mei.page)).toHaveCount(0);
  await expect(last(bo.page)).toContainText('Live location ended');
  await mei.context.setGeolocation(berlin);
  // A step goes out within three seconds: none may.
  await mei.page.waitForTimeout(4000);
  await expectAt(last(bo.page), rome);
});

test('P5 it stops from the message, and with the message', async () => {
  await share(mei.page, 'Live for 1 hour');
  await expect(banner(mei.page)).toBeVisible();
  await last(mei.page).getByRole('button', { name: 'Stop sharing' }).click();
  await expect(last(bo.page)).toContainText('Live location ended');
  await expect(banner(mei.page)).toHaveCount(0);

  await share(mei.page, 'Live for 8 hours');
  await expect(banner(mei.page)).toBeVisible();
  const row = lastRow(mei.page);
  await row.hover();
  await row.getByRole('button', { name: 'More actions' }).click();
  await mei.page.getByRole('menuitem', { name: 'Delete' }).click();
  await mei.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();

  await expect(banner(mei.page)).toHaveCount(0);
});

test('P5 another device of the same person shows what is shared, does not move it, and may stop it', async ({
  browser,
}) => {
  await share(mei.page, 'Live for 15 minutes');
  const elsewhere = { latitude: 1, longitude: 1 };
  const second = await signIn(browser, /Mei-Lin Chou/, { ...located, geolocation: elsewhere });
  await expect(banner(second.page)).toContainText('from another device');
  await openConversation(second.page, title);
  await expect(last(second.page)).toContainText('Live location');
  // A step goes out within three seconds: none may.
  await second.page.waitForTimeout(4000);
  await expectAt(last(bo.page), berlin);

  await banner(second.page)
    .getByRole('button', { name: /^Stop sharing/ })
    .click();

  await expect(banner(mei.page)).toHaveCount(0);
  await expect(last(bo.page)).toContainText('Live location ended');
  await second.context.close();
});

test('P5 a browser that may not read the location shows why, and the text stays', async ({ browser }) => {
  const kept = fresh('half a sentence');
  const { page, context } = await signIn(browser, /Bo Lindqvist/, { permissions: [] });
  await openConversation(page, title);
  await composer(page).fill(kept);

  await askToShare(page);

  await expect(dialog(page).getByRole('alert')).toContainText("Couldn't get your location. Allow it");
  await expect(dialog(page).getByRole('button', { name: 'Share', exact: true })).toBeDisabled();
  await context.grantPermissions(['geolocation']);
  await context.setGeolocation(berlin);
  await dialog(page).getByRole('button', { name: 'Try again' }).click();
  await expect(dialog(page).getByRole('img', { name: 'Map: your location' })).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(composer(page)).toHaveValue(kept);
  await composer(page).fill('');
  await context.close();
});

test('P5 P1 dialogs of the composer go when nothing may be written any more, and do not come back by themselves', async () => {
  const { page } = mei;
  const [type, id] = new URL(page.url()).pathname.split('/').slice(-2);
  const cid = `${type}:${id}`;
  const askForPoll = async () => {
    await page.getByRole('main').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Create a poll' }).click();
  };
  for (const open of [() => askToShare(page), askForPoll]) {
    await open();
    await expect(page.getByRole('dialog')).toBeVisible();

    await asServer().channels.patch(cid, { frozen: true });
    await expect(page.getByRole('dialog')).toBeHidden();
    await asServer().channels.patch(cid, { frozen: false });
    await expect(composer(page)).toBeEnabled();

    await expect(page.getByRole('dialog')).toBeHidden();
  }
});

test('P5 a share that the browser no longer allows says so, can be stopped, and goes on once it is allowed', async () => {
  await share(mei.page, 'Live for 15 minutes');
  await mei.context.clearPermissions();
  await expect(banner(mei.page)).toContainText('Not updating');

  await mei.context.grantPermissions(['geolocation']);
  const oslo = { latitude: 59.9139, longitude: 10.7522 };
  await mei.context.setGeolocation(oslo);
  await expectAt(last(bo.page), oslo);
  await expect(banner(mei.page)).not.toContainText('Not updating');

  await mei.context.setGeolocation(berlin);
  await banner(mei.page)
    .getByRole('button', { name: `Stop sharing in ${title}` })
    .click();
  await expect(banner(mei.page)).toHaveCount(0);
});

/** Shares as Mei for a moment: nobody waits fifteen minutes. */
const shareFor = async (ms: number) => {
  const cid = await mei.page.evaluate(() => location.pathname.split('/').slice(-2).join('/'));
  const reply = await fetch(`${new URL(mei.page.url()).origin}/api/channels/${cid}/message`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': await mei.page.evaluate(
        () => JSON.parse(document.getElementById('parley-config')?.textContent ?? '').apiKey,
      ),
      authorization: await asServer().createToken('mei'),
    },
    body: JSON.stringify({
      message: {
        shared_location: {
          ...berlin,
          created_by_device_id: 'watch',
          end_at: new Date(Date.now() + ms).toISOString(),
        },
      },
    }),
  });
  expect(reply.status).toBe(201);
};

test('P5 a share whose time is over says so by itself', async () => {
  await shareFor(6000);
  await expect(last(bo.page)).toContainText('Live until');
  await expect(banner(mei.page)).toBeVisible();

  await expect(last(bo.page)).toContainText('Live location ended');
  await expect(last(bo.page)).toContainText('Ended');
  await expect(banner(mei.page)).toHaveCount(0);
});

/** The same picture for every tile. */
const tile =
  '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="#cde" stroke="#89a"/></svg>';

const startTiles = async (): Promise<{ server: Server; url: string; asked: string[] }> => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(tile);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}/{z}/{x}/{y}.png`, asked };
};

/** Opens the app with the settings of a server that has this tile source; what it may load is held by `web.test.ts`. */
const signInWithTiles = async (browser: Browser, url: string): Promise<Person> => {
  const context = await browser.newContext({ bypassCSP: true });
  await context.addInitScript((tileUrl) => {
    // This runs before the app's own script, which runs once the page is read.
    document.addEventListener('readystatechange', () => {
      const config = document.getElementById('parley-config');
      if (document.readyState !== 'interactive' || !config) return;
      const mapTiles = { url: tileUrl, attribution: 'Dots & <b>Sons</b>' };
      config.textContent = JSON.stringify({ ...JSON.parse(config.textContent ?? ''), mapTiles });
    });
  }, url);
  const page = await context.newPage();
  await page.goto('/');
  await page.getByRole('button', { name: /Bo Lindqvist/ }).click();
  await openConversation(page, title);
  return { page, context, sockets: () => 0 };
};

test('P5 with a tile source the map is made of its pictures', async ({ browser }) => {
  await share(mei.page, 'Current location');
  const tiles = await startTiles();
  const { page, context } = await signInWithTiles(browser, tiles.url);

  await expect(last(page).locator('[data-map="tiles"] img.leaflet-tile-loaded').first()).toBeAttached();
  expect(tiles.asked.some((path) => /^\/15\/\d+\/\d+\.png$/.test(path))).toBe(true);
  await last(page)
    .getByRole('button', { name: /^Open the map/ })
    .click();
  await expect(page.getByRole('dialog').getByText('Dots & <b>Sons</b>')).toBeVisible();
  await context.close();
  tiles.server.close();
});

test('P5 where the pictures do not come, the outlines are there and it is said', async ({ browser }) => {
  await share(mei.page, 'Current location');
  const { server, url } = await startTiles();
  await new Promise((resolve) => server.close(resolve));
  const { page, context } = await signInWithTiles(browser, url);

  await expect(last(page).locator('[data-map="drawn"] path').first()).toBeAttached();
  await last(page)
    .getByRole('button', { name: /^Open the map/ })
    .click();
  await expect(page.getByRole('dialog').getByText(/Couldn't load the map/)).toBeVisible();
  await context.close();
});

test('P5 on a small screen the map stays inside its bubble', async () => {
  await share(mei.page, 'Current location');
  await mei.page.setViewportSize({ width: 390, height: 844 });
  const edgesOf = async (selector: string) => {
    const box = await last(mei.page).locator(selector).boundingBox();
    return { left: box?.x ?? 0, right: (box?.x ?? 0) + (box?.width ?? 0) };
  };

  const [map, bubble] = [await edgesOf('[data-map]'), await edgesOf('xpath=..')];

  expect(map.left).toBeGreaterThanOrEqual(bubble.left);
  expect(map.right).toBeLessThanOrEqual(bubble.right);
  await mei.page.setViewportSize({ width: 1280, height: 800 });
});
