import { type Browser, expect, type Page, test } from '@playwright/test';
import {
  asServer,
  composer,
  conversation,
  feed,
  fresh,
  leave,
  message,
  openConversation,
  ownChannel,
  say,
  signIn,
} from './people.ts';

const keptKeys = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('parley screen')));

/** The entries of the list; other journeys fill its first page with their own. */
const listed = (page: Page) =>
  page.getByRole('navigation', { name: 'Conversations' }).locator('a[href^="/c/"]');

const api = /\/api\//;

/** Holds everything that the page asks of the server; returns the function that lets it go. */
const holdServer = async (page: Page): Promise<() => void> => {
  const { promise: held, resolve } = Promise.withResolvers<void>();
  await page.route(api, async (route) => {
    await held;
    await route.continue();
  });
  await page.routeWebSocket(api, async (socket) => {
    await held;
    socket.connectToServer();
  });
  return resolve;
};

/** Serves the open page under a policy that allows no inline styles; returns what the browser refuses because of it. */
const forbidInlineStyles = async (page: Page): Promise<string[]> => {
  const refused: string[] = [];
  page.on('console', (line) => {
    if (line.text().includes('inline style')) refused.push(line.text());
  });
  await page.route(page.url(), async (route) => {
    const response = await route.fetch();
    const { 'content-security-policy': policy = '', ...headers } = response.headers();
    const strict = policy.replace(" 'unsafe-inline'", '');
    await route.fulfill({ response, headers: { ...headers, 'content-security-policy': strict } });
  });
  return refused;
};

/** Ana with a conversation of which she has said the last word, and whose screen is kept. */
const anaAtHome = async (...[browser]: [Parameters<typeof signIn>[0]]) => {
  const ana = await signIn(browser, /Ana Ribeiro/);
  await openConversation(ana.page, 'general');
  const words = fresh('Kept for later');
  await say(ana.page, words);
  await expect.poll(() => keptKeys(ana.page)).toEqual(['parley screen ana']);
  return { ana, words };
};

test('W1 the next visit draws the list and the conversation before the server has answered', async ({
  browser,
}) => {
  const { ana, words } = await anaAtHome(browser);
  const { page } = ana;
  const letGo = await holdServer(page);
  await page.reload();

  await expect(message(page, words)).toBeVisible();
  await expect(listed(page).nth(1)).toBeVisible();
  letGo();
  const more = fresh('Live again');
  await say(page, more);
  await expect(message(page, more)).not.toContainText(/Waiting|Sending/);
  await leave(ana);
});

test('W1 the next visit shows the last page while the app itself is still being loaded, and then works', async ({
  browser,
}) => {
  const { ana, words } = await anaAtHome(browser);
  const { page } = ana;
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route(/\/assets\/(index|vendor)-.*\.js/, async (route) => {
    await held;
    await route.continue();
  });
  const refusals = await forbidInlineStyles(page);
  // Dots of people who are online are not kept, nor is anything that could run: the page is scrolled to its end all the same.
  await page.evaluate(() => {
    const more = document.createElement('div');
    more.hidden = true;
    more.innerHTML =
      '<i data-hue="1"><i role="img"></i></i><iframe></iframe><b onclick="alert()"></b>'.repeat(3);
    document.getElementById('root')?.prepend(more);
  });
  await page.reload({ waitUntil: 'commit' });
  const root = page.locator('#root');

  await expect(root.locator('[role="feed"]').getByText(words)).toBeInViewport();
  await expect(root.locator('nav a[href^="/c/"]').nth(1)).toBeInViewport();
  expect(await root.locator('[role="feed"]').evaluate((list) => list.scrollTop)).toBeGreaterThan(0);
  await expect(root.locator('[data-hue="1"] > [role="img"], iframe, [onclick]')).toHaveCount(0);
  const styled = root.locator('[data-kept-style]').first();
  await expect(styled).toHaveAttribute('style', (await styled.getAttribute('data-kept-style')) ?? '');
  // Nothing in it works yet: neither presses nor screen readers find it.
  await expect(root).toHaveAttribute('inert');
  await expect(composer(page)).toHaveCount(0);
  // A person who begins to write does not notice that the app only comes now.
  const more = fresh('It works');
  await page.keyboard.type(more);
  letGo();
  await expect(composer(page)).toHaveValue(more);
  await composer(page).press('Enter');
  await expect(message(page, more)).not.toContainText(/Waiting|Sending/);
  await expect(root).not.toHaveAttribute('inert');
  expect(refusals).toEqual([]);

  await page.goto('/threads', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { name: 'Threads' })).toBeVisible();
  await leave(ana);
});

test('W1 a kept page whose app does not come says so, and trying again opens it', async ({ browser }) => {
  const { ana, words } = await anaAtHome(browser);
  const { page } = ana;
  const entry = /\/assets\/index-.*\.js/;
  await page.route(entry, (route) => route.abort());
  await page.reload({ waitUntil: 'commit' });
  const late = page.getByRole('alert').filter({ hasText: 'Parley has not loaded yet' });
  await expect(late).toBeVisible();
  await expect(page.locator('#root')).toHaveAttribute('inert');

  await page.unroute(entry);
  await late.getByRole('button', { name: 'Try again' }).click();
  await expect(message(page, words)).toBeVisible();
  await expect(late).toHaveCount(0);
  await leave(ana);
});

test('W1 a browser that is set to store nothing opens the app all the same', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        configurable: true,
        get: () => {
          throw new DOMException('Access is denied', 'SecurityError');
        },
      });
  });
  await page.goto('/');
  await page.getByRole('button', { name: /Ana Ribeiro/ }).click();
  await expect(listed(page).first()).toBeVisible();
});

/** Ana, whose browser has kept a conversation, and who is elsewhere now. */
const anaAwayFrom = async (title: string, browser: Browser) => {
  const place = await ownChannel(title, ['ana', 'bo']);
  const ana = await signIn(browser, /Ana Ribeiro/);
  await openConversation(ana.page, place.title);
  await expect.poll(() => keptKeys(ana.page)).toEqual(['parley screen ana']);
  const address = ana.page.url();
  await ana.page.goto('about:blank');
  return { ana, place, address };
};

test('M3 a visit after many new messages begins at the first of them, with a kept screen too', async ({
  browser,
}) => {
  const { ana, place, address } = await anaAwayFrom('While away', browser);
  const { page } = ana;
  for (let n = 1; n <= 20; n += 1)
    await asServer().messages.send(place.cid, 'bo', { text: `While away ${n}: ${'long words '.repeat(20)}` });
  await page.goto(address);

  await expect(feed(page).getByText('20 new messages')).toBeVisible();
  await expect(message(page, 'While away 1:')).toBeInViewport();
  await expect(message(page, 'While away 20:')).not.toBeInViewport();
  await leave(ana);
});

test('W1 a user who writes before the connection is there keeps the field and the caret when unread messages come', async ({
  browser,
}) => {
  const { ana, place, address } = await anaAwayFrom('Early words', browser);
  const { page } = ana;
  const missed = fresh('Missed');
  await asServer().messages.send(place.cid, 'bo', { text: missed });
  const letGo = await holdServer(page);
  await page.goto(address);
  await composer(page).pressSequentially('Half word');
  for (let letter = 0; letter < 4; letter += 1) await page.keyboard.press('ArrowLeft');
  await composer(page).evaluate((field) => field.setAttribute('data-first', ''));
  letGo();

  await expect(message(page, missed)).toBeVisible();
  await page.keyboard.type('a ');
  await expect(composer(page)).toHaveValue('Half a word');
  await expect(page.locator('textarea[data-first]')).toBeFocused();
  await composer(page).fill('');
  await leave(ana);
});

test('W1 a user who scrolls before the connection is there keeps the list when unread messages come', async ({
  browser,
}) => {
  const { ana, place, address } = await anaAwayFrom('Early reading', browser);
  const { page } = ana;
  const missed = fresh('Missed');
  await asServer().messages.send(place.cid, 'bo', { text: missed });
  const letGo = await holdServer(page);
  await page.goto(address);
  await expect(composer(page)).toBeEnabled();
  await feed(page).hover();
  await page.mouse.wheel(0, -10);
  await feed(page).evaluate((list) => list.setAttribute('data-first', ''));
  // The drafts are asked for when all else has recovered.
  const recovered = page.waitForResponse(/drafts\/query/);
  letGo();

  await recovered;
  await expect(message(page, missed)).toBeAttached();
  await expect(page.locator('[role=feed][data-first]')).toBeVisible();
  await leave(ana);
});

test('W1 a sign-out leaves nothing of the screen, and the next user begins with their own', async ({
  browser,
}) => {
  const { ana, words } = await anaAtHome(browser);
  const { page } = ana;
  await page.getByRole('button', { name: /account and settings/ }).click();
  await page.getByRole('menuitem', { name: /^Sign out/ }).click();
  await page.getByRole('button', { name: /Tom/ }).first().waitFor();
  expect(await keptKeys(page)).toEqual([]);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(words);

  await page.goto('/c/team/general');
  await expect(page.getByRole('heading', { name: 'Who are you today?' })).toBeVisible();
  expect(await keptKeys(page)).toEqual([]);
  await leave(ana);
});

test('W1 M2 a conversation that begins between the early list and the connection comes into the list, and one that ends leaves it', async ({
  browser,
}) => {
  const ends = await ownChannel('Ends early', ['bo', 'ana']);
  const ana = await signIn(browser, /Ana Ribeiro/);
  const { page } = ana;
  await page.goto('about:blank');
  await page.context().addInitScript(() => localStorage.removeItem('parley screen ana'));
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.routeWebSocket(api, async (socket) => {
    await held;
    socket.connectToServer();
  });
  // The list must not wait for what is slow for a channel.
  await page.route(/\/api\/(sync|users\/query)/, () => new Promise(() => {}));
  await page.goto('/');
  await expect(conversation(page, ends.title)).toBeVisible();
  const begins = await ownChannel('Begins early', ['bo', 'ana']);
  await asServer().channels.removeMembers(ends.cid, ['ana']);
  letGo();

  await expect(conversation(page, begins.title)).toBeVisible();
  await expect(conversation(page, ends.title)).toHaveCount(0);
  await leave(ana);
});

test('W1 early calls that fail leave the app to ask in its own way, and to say its own error', async ({
  browser,
}) => {
  const ana = await signIn(browser, /Ana Ribeiro/);
  const { page } = ana;
  await page.goto('about:blank');
  const context = page.context();
  let fails = 1;
  await context.addInitScript(() => localStorage.removeItem('parley screen ana'));
  await context.route(/\/api\/dev\/token/, (route) => (fails-- > 0 ? route.abort() : route.continue()));
  await page.goto('/c/team/general');
  await expect(feed(page).getByRole('article').first()).toBeVisible();
  await expect(listed(page).nth(1)).toBeVisible();

  await context.route(/\/api\/channels$/, (route) => route.fulfill({ status: 500, body: 'broken' }));
  await page.reload();
  await expect(feed(page).getByRole('article').first()).toBeVisible();
  await leave(ana);
});

test('M14 a chosen theme is there before the first paint', async ({ browser }) => {
  const ana = await signIn(browser, /Ana Ribeiro/);
  const { page } = ana;
  await page.evaluate(() => localStorage.setItem('parley.theme', 'dark'));
  await page.route(/\/assets\/(index|vendor)-.*\.js/, () => new Promise(() => {}));
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await leave(ana);
});
