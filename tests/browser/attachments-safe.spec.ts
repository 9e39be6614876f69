import { expect, type Page, test } from '@playwright/test';
import { filesIn, imageOf, loaded, png, sign, wav } from './files.ts';
import { feed, message, openConversation, type Person, signIn } from './people.ts';

let bo: Person;

test.beforeAll(async ({ browser }) => {
  bo = await signIn(browser, /Bo Lindqvist/);
});
test.afterAll(async () => {
  await bo.context.close();
});

const script = `fetch('/canary').catch(()=>{});try{alert(1)}catch{};try{top.__ran=1}catch{};window.__ran=1`;
const harmful: [string, string][] = [
  [
    'drawing.svg',
    `<svg xmlns="http://www.w3.org/2000/svg" onload="${script}"><script>${script}</script></svg>`,
  ],
  ['page.html', `<!doctype html><html><body onload="${script}"><script>${script}</script></body></html>`],
  ['innocent.png', `<html><script>${script}</script></html>`],
];

for (const [name, content] of harmful)
  test(`A1 ${name} with a script in it never runs, however it is opened`, async () => {
    const { page, context } = bo;
    const files = await filesIn('harm', 'Harm');
    const stored = await files.sendFile(`beware of ${name}`, name, Buffer.from(content));
    const url = (await sign('bo', stored.file)) ?? '';
    const seen: string[] = [];
    context.on('request', (request) => request.url().includes('canary') && seen.push(request.url()));
    context.on('dialog', (dialog) => {
      seen.push('dialog');
      void dialog.dismiss();
    });

    const reply = await context.request.get(url);
    expect(reply.headers()['content-type']).toBe('application/octet-stream');
    expect(reply.headers()['x-content-type-options']).toBe('nosniff');
    expect(reply.headers()['content-disposition']).toMatch(/^attachment;/);
    expect(reply.headers()['content-security-policy']).toContain('sandbox');
    const tab = await context.newPage();
    const [saved] = await Promise.all([tab.waitForEvent('download'), tab.goto(url).catch(() => {})]);
    expect(saved.suggestedFilename()).toBe(name);
    expect(tab.url()).toBe('about:blank');
    await openConversation(page, 'Harm');
    await message(page, `beware of ${name}`)
      .getByRole('button', { name: /^Download/ })
      .click();
    for (const tag of ['iframe', 'embed', 'object', 'img', 'script'])
      await page.evaluate(
        ([kind = '', src = '']) => {
          const element = document.body.appendChild(document.createElement(kind));
          element.setAttribute(kind === 'object' ? 'data' : 'src', src);
        },
        [tag, url],
      );
    // Not every one of these elements says that it was refused: a script in it would run within this time.
    await page.waitForTimeout(800);
    expect(await page.evaluate(() => '__ran' in window)).toBe(false);
    expect(seen).toEqual([]);
    await tab.close();
    await page.reload();
  });

test('A1 a file of a private channel is refused to who is not in it', async ({ browser }) => {
  const priya = await signIn(browser, /Priya Raman/);
  const files = await filesIn('private', 'Private');
  const image = await files.give('private.png', png(40, 40));
  await files.send('for two', [imageOf(image)]);

  expect((await priya.context.request.get(image.file)).status()).toBe(403);
  expect((await priya.context.request.get(`${image.file}?expires=9999999999&signature=x`)).status()).toBe(
    403,
  );
  expect(await sign('priya', image.file)).toBeUndefined();
  const url = (await sign('bo', image.file)) ?? '';
  expect((await bo.context.request.get(url)).status()).toBe(200);
  await priya.context.close();
});

/** How far the rows that are drawn move while something happens. */
const movement = async (page: Page, act: () => Promise<void>): Promise<number> => {
  await feed(page).evaluate((list) => {
    const places = new Map<string, number>();
    const state = { most: 0, rows: 0 };
    const look = () => {
      for (const row of list.querySelectorAll<HTMLElement>('[data-key]')) {
        const top = row.getBoundingClientRect().top;
        const before = places.get(row.dataset.key ?? '');
        if (before !== undefined) state.most = Math.max(state.most, Math.abs(top - before));
        places.set(row.dataset.key ?? '', top);
      }
      state.rows = places.size;
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { moved: state });
  });
  await act();
  // A late move of the rows would be the fault.
  await page.waitForTimeout(300);
  const { most, rows } = await page.evaluate(
    () => (window as never as { moved: { most: number; rows: number } }).moved,
  );
  expect(rows).toBeGreaterThan(4);
  return most;
};

/** Holds what a page asks for until it is released, at the earliest when the first of it was asked for. */
const hold = async (page: Page, urls: RegExp) => {
  const { promise: released, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  await page.route(urls, async (route) => {
    asked += 1;
    await released;
    await route.continue();
  });
  const release = async () => {
    await expect.poll(() => asked).toBeGreaterThan(0);
    resolve();
  };
  return { release };
};

test('M3 pictures that come late, and the part that draws them, move nothing', async ({ browser }) => {
  const files = await filesIn('late', 'Late');
  for (let turn = 0; turn < 3; turn += 1) {
    await files.sendImages(`tall ${turn}`, [300, 900]);
    await files.sendImages(`many ${turn}`, [300, 200], [300, 200], [300, 200]);
    await files.sendFile(`paper ${turn}`, 'paper.pdf', Buffer.from('%PDF-1.4'));
    await files.sendFile(`sound ${turn}`, 'sound.wav', wav(2), { type: 'audio' });
    await files.send(`link ${turn}`, [
      {
        type: 'article',
        og_scrape_url: 'https://example.com/a',
        title_link: 'https://example.com/a',
        title: 'A',
        text: 'B',
      },
    ]);
  }
  const late = await signIn(browser, /Bo Lindqvist/);
  const { page } = late;
  const [parts, pictures] = [
    await hold(page, /assets\/(attachment-list|link-cards)/),
    await hold(page, /\/files\//),
  ];
  await openConversation(page, 'Late');
  await expect(message(page, 'tall 0')).toBeVisible();
  const most = await movement(page, async () => {
    await parts.release();
    await expect(page.getByRole('button', { name: /^Download paper.pdf/ }).first()).toBeVisible();
    await pictures.release();
    await loaded(message(page, 'tall 0').locator('img[src*="/files/"]').first());
  });

  process.stdout.write(`  late pictures moved rows by at most ${most.toFixed(2)} px
`);
  expect(most).toBeLessThanOrEqual(1);
  await late.context.close();
});

test('A1 a signature that has ended is asked for anew, once, and nobody sees a broken picture', async ({
  browser,
}) => {
  const files = await filesIn('ended', 'Ended');
  await files.sendImages('still here', [300, 200]);
  const late = await signIn(browser, /Bo Lindqvist/);
  const { page } = late;
  let asked = 0;
  await page.route('**/api/uploads/sign', async (route) => {
    const reply = await route.fetch();
    asked += 1;
    const body = await reply.text();
    await route.fulfill({
      response: reply,
      body: asked === 1 ? body.replaceAll(/expires=\d+/g, 'expires=1') : body,
    });
  });
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.body?.innerText.includes("Couldn't load")) Object.assign(window, { wasBroken: true });
    }).observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  await openConversation(page, 'Ended');

  await loaded(message(page, 'still here').getByRole('img'));
  // A third request would come at once.
  await page.waitForTimeout(400);
  expect(asked).toBe(2);
  expect(await page.evaluate(() => 'wasBroken' in window)).toBe(false);
  await late.context.close();
});

test('A1 a picture that cannot be loaded says so in its place, and a press tries again', async ({
  browser,
}) => {
  const late = await signIn(browser, /Bo Lindqvist/);
  const { page } = late;
  await page.route(/\/files\//, (route) => route.abort());
  await openConversation(page, 'Ended');
  const row = message(page, 'still here');
  await expect(row.getByText("Couldn't load")).toBeVisible();

  await page.unroute(/\/files\//);
  await row.getByRole('button', { name: /Try again/ }).click();
  await loaded(row.getByRole('img'));
  await late.context.close();
});

test('A1 a picture that could not be loaded on a bad network comes by itself', async ({ browser }) => {
  const late = await signIn(browser, /Bo Lindqvist/);
  const { page } = late;
  await page.clock.install();
  await page.route(/\/files\//, (route) => route.abort());
  await openConversation(page, 'Ended');
  const row = message(page, 'still here');
  await expect(row.getByText("Couldn't load")).toBeVisible();
  await page.unroute(/\/files\//);
  await page.clock.fastForward(15_000);

  await loaded(row.getByRole('img'));
  await late.context.close();
});
