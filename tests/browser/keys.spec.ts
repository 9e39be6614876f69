import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import {
  act,
  asServer,
  composer,
  expectOpen,
  fresh,
  leave,
  message,
  ownChannel,
  type Person,
  type Place,
  pointAt,
  say,
  signIn,
} from './people.ts';
import { go } from './story.ts';

let ana: Person;
let place: Place;
const asked = fresh('Which key?');

test.beforeAll(async ({ browser }) => {
  place = await ownChannel('Keys', ['ana', 'bo']);
  await asServer().messages.send(place.cid, 'bo', { text: asked });
  ana = await signIn(browser, /Ana Ribeiro/);
});
test.afterAll(() => leave(ana));

const dialog = (page: Page) => page.getByRole('dialog');
/** Presses Enter as an input method does that offers words. */
const chooseWord = (element: Locator) =>
  element.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true });
/** Opens the conversation as a link does: every journey closes what it opened. */
const enter = async (page: Page): Promise<void> => {
  await go(page, `/c/team/${place.path.id}`);
  await expectOpen(page, place.title);
};
const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName ?? 'nothing');

const links = (page: Page) =>
  page.getByRole('navigation', { name: 'Conversations' }).locator('a[href^="/c/"]');
const linkTo = (page: Page, path = '') => links(page).and(page.locator(`[href="${path}"]`));
const pathsOf = (page: Page) =>
  links(page).evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
/** Opens the app and waits until it shows the list of now: right after the start it is the one that this device has kept. */
const openList = async (page: Page): Promise<string[]> => {
  // The page that is left must not ask for its list any more.
  await page.goto('about:blank');
  const listed = page.waitForResponse(
    (reply) =>
      /\/api\/channels\?connection_id/.test(reply.url()) &&
      reply.request().postDataJSON().filter.archived === false,
  );
  await page.goto('/');
  const { channels } = (await (await listed).json()) as { channels: { channel: { cid: string } }[] };
  const paths = channels.map(
    ({ channel }) => `/c/${channel.cid.split(':').map(encodeURIComponent).join('/')}`,
  );
  // The order is that of the screen: news of what was written in the same moment may come after the list.
  await expect.poll(async () => (await pathsOf(page)).sort()).toEqual(paths.sort());
  return pathsOf(page);
};

test('W2 Alt with arrows goes through the list, with Shift to what is unread, and Alt J to the first unread message', async () => {
  const { page } = ana;
  const unread = await ownChannel('Unread there', ['bo', 'ana']);
  const first = fresh('First of many');
  await asServer().messages.send(unread.cid, 'bo', { text: first });
  for (let count = 0; count < 40; count += 1)
    await asServer().messages.send(unread.cid, 'bo', { text: `Line ${count}\n\nand more` });
  const paths = await openList(page);
  const unreadLink = links(page).filter({ hasText: unread.title });
  await expect(unreadLink).toBeVisible();

  await page.keyboard.press('Alt+ArrowDown');
  await expect(page).toHaveURL(new RegExp(`${paths[0]}$`));
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(page).toHaveURL(new RegExp(`${paths[1]}$`));
  await page.keyboard.press('Alt+ArrowUp');
  await expect(page).toHaveURL(new RegExp(`${paths[0]}$`));
  await go(page, '/');
  await asServer().messages.send(unread.cid, 'bo', { text: 'And the last' });
  await expect(unreadLink.getByLabel(/unread/)).toBeVisible();
  await page.keyboard.press('Alt+Shift+ArrowDown');
  await expect(page).toHaveURL(new RegExp(`/c/team/${unread.path.id}`));
  await page.keyboard.press('Alt+j');
  await expect(page).toHaveURL(/m=/);

  // The list comes by pages: the keys go on where the first one ends.
  await Promise.all(Array.from({ length: 22 }, (_, at) => ownChannel(`Page ${at}`, ['ana', 'bo'])));
  const loaded = await openList(page);
  await linkTo(page, loaded.at(-1)).click();
  await expect(page).toHaveURL(new RegExp(`${loaded.at(-1)}$`));
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(() => loaded.includes(new URL(page.url()).pathname)).toBe(false);
});

test('W2 Alt J pressed in the moment in which a conversation opens goes to its first unread message', async () => {
  const { page } = ana;
  const unread = await ownChannel('Unread at once', ['bo', 'ana']);
  await asServer().messages.send(unread.cid, 'bo', { text: fresh('First at once') });
  await openList(page);
  await expect(links(page).filter({ hasText: unread.title })).toBeVisible();
  // Both in one task: no frame is drawn between them.
  await page.evaluate((path) => {
    history.pushState({}, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
    const press = { key: 'j', code: 'KeyJ', altKey: true, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new KeyboardEvent('keydown', press));
  }, `/c/team/${unread.path.id}`);

  await expect(page).toHaveURL(/m=/);
});

test('W2 a user who goes elsewhere while the keys load more of the list stays there', async () => {
  const { page } = ana;
  await Promise.all(Array.from({ length: 22 }, (_, at) => ownChannel(`Further ${at}`, ['ana', 'bo'])));
  const paths = await openList(page);
  const gate = Promise.withResolvers<void>();
  const lists = /\/api\/channels(\?|$)/;
  await page.route(lists, async (route) => {
    await gate.promise;
    await route.continue();
  });
  const asked = page.waitForRequest((request) => lists.test(request.url()) && request.postDataJSON().next);
  await linkTo(page, paths.at(-1)).click();
  await expect(page).toHaveURL(new RegExp(`${paths.at(-1)}$`));
  await page.keyboard.press('Alt+ArrowDown');
  await asked;
  await linkTo(page, paths[0]).click();
  await expect(page).toHaveURL(new RegExp(`${paths[0]}$`));
  gate.resolve();
  await expect.poll(() => links(page).count()).toBeGreaterThan(paths.length);
  await page.waitForTimeout(200);
  expect(new URL(page.url()).pathname).toBe(paths[0]);
  await page.unroute(lists);
});

test('W2 Enter on a result of the search types nothing into the conversation', async () => {
  const { page } = ana;
  await enter(page);
  await page.keyboard.press('Control+f');
  await page.getByRole('combobox', { name: 'Search' }).fill(asked);
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await chooseWord(page.getByRole('combobox', { name: 'Search' }));
  expect(page.url()).not.toMatch(/m=/);
  await page.keyboard.press('Enter');

  await expect(page).toHaveURL(/m=/);
  await expect(composer(page)).toHaveValue('');
  const half = fresh('Half a word');
  await composer(page).fill(half);
  await chooseWord(composer(page));
  await expect(composer(page)).toHaveValue(half);
  await expect(message(page, half)).toHaveCount(0);
  await composer(page).fill('');
  // The results stay until they are closed.
  await page.getByRole('combobox', { name: 'Search' }).press('Escape');
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeHidden();
});

test('W2 the page of shortcuts opens by ? outside of fields, and from the menu; every line of it is true', async () => {
  const { page } = ana;
  await enter(page);
  await composer(page).press('?');
  await expect(dialog(page)).toBeHidden();
  await composer(page).fill('');
  await page.getByRole('button', { name: 'Members', exact: true }).focus();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  for (const [id, keys] of [
    ['switcher', 'Ctrl'],
    ['next', 'Alt'],
    ['bold', 'Ctrl'],
  ])
    await expect(dialog(page).locator(`[data-shortcut="${id}"] kbd`).first()).toHaveText(keys ?? '');
  await expectAccessible(page);
  // A person who dictates can switch off the key without a modifier; the other one still works.
  await dialog(page)
    .getByRole('checkbox', { name: /\? alone/ })
    .uncheck();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Members', exact: true })).toBeFocused();
  await page.keyboard.press('?');
  await page.waitForTimeout(100);
  await expect(dialog(page)).toHaveCount(0);
  await page.keyboard.press('Control+/');
  await dialog(page).getByRole('checkbox').check();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await page.keyboard.press('?');
  await expect(dialog(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();

  await composer(page).fill('loud');
  for (const [key, mark] of [
    ['b', '**'],
    ['i', '_'],
    ['e', '`'],
  ] as const) {
    await composer(page).press('Control+a');
    await composer(page).press(`Control+${key}`);
    await expect(composer(page)).toHaveValue(new RegExp(`^${mark.replaceAll('*', '\\*')}.*`));
    await composer(page).fill('loud');
  }
  await composer(page).fill('');
  await page.getByRole('button', { name: /account and settings/ }).click();
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
});

test('W2 pickers take typing at once', async () => {
  const { page } = ana;
  // A page that has shown the picker before does not load it again.
  await page.goto(`/c/team/${place.path.id}`);
  await expectOpen(page, place.title);
  const gate = Promise.withResolvers<void>();
  await page.route(/\/emoji-panel-/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Add emoji' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeFocused();
  await page.keyboard.type('heaa');
  await page.keyboard.press('Backspace');
  gate.resolve();
  await expect(dialog(page).getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('r');
  await expect(dialog(page).getByRole('searchbox')).toHaveValue('hear');
  await expect(dialog(page).getByRole('button', { name: /heart/ }).first()).toBeVisible();
  await page.unroute(/\/emoji-panel-/);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await page.getByRole('button', { name: 'Members', exact: true }).click();
  const members = page.getByRole('complementary');
  await members.getByRole('button', { name: 'Add people' }).click();
  await expect(members.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('Priya');
  await expect(members.getByRole('searchbox')).toHaveValue('Priya');
  await members.getByRole('button', { name: 'Close' }).click();
  await expect(members).toBeHidden();
});

test('W2 the focus is never lost: every layer gives it back when it is closed by Escape', async () => {
  const { page } = ana;
  await enter(page);
  await say(page, fresh('Anything'));
  const row = message(page, asked);
  const byButton = (name: string | RegExp) => async () => {
    await page.getByRole('button', { name }).first().focus();
    await page.keyboard.press('Enter');
  };
  const layers: [string, () => Promise<void>][] = [
    ['menu', byButton('Conversation actions')],
    ['account', byButton(/account and settings/)],
    ['emojis', byButton('Add emoji')],
    ['pins', byButton('Pinned messages')],
    ['new conversation', byButton('New conversation')],
    ['switcher', () => page.keyboard.press('Control+k')],
    ['shortcuts', () => page.keyboard.press('Control+/')],
    ['search', () => page.keyboard.press('Control+f')],
    ['members', byButton('Members')],
    [
      'menu of a message',
      async () => {
        await pointAt(row);
        await row.getByRole('button', { name: 'More actions' }).focus();
        await page.keyboard.press('Enter');
      },
    ],
    ['thread', () => act(page, asked, /Reply in thread/)],
  ];
  for (const [name, open] of layers) {
    await open();
    const shown = page
      .getByRole('dialog')
      .or(page.getByRole('menu'))
      .or(page.getByRole('complementary'))
      .or(page.getByRole('combobox', { name: 'Search' }));
    await expect(shown.first(), name).toBeVisible();
    await page.waitForTimeout(150);
    await page.keyboard.press('Escape');
    await expect(shown, name).toHaveCount(0);
    await expect.poll(() => focused(page), { message: name }).not.toBe('BODY');
  }
});
