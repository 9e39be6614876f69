import { expect, type Page, test } from '@playwright/test';
import { give, imageOf, png } from './files.ts';
import {
  act,
  asServer,
  composer,
  conversation,
  fresh,
  leave,
  message,
  openConversation,
  ownChannel,
  type Person,
  type Place,
  say,
  signIn,
  signInAt,
} from './people.ts';

let ana: Person;
let place: Place;
const asked = fresh('Which way back?');
const shown = fresh('This way');

test.beforeAll(async ({ browser }) => {
  place = await ownChannel('Ways', ['ana', 'bo']);
  const server = asServer();
  const photo = imageOf(await give(place.cid, 'way.png', png(640, 480)));
  await server.messages.send(place.cid, 'ana', { text: shown, attachments: [photo] });
  await server.messages.send(place.cid, 'bo', { text: `@Ana Ribeiro ${asked}`, mentioned_users: ['ana'] });
  ana = await signIn(browser, /Ana Ribeiro/);
});
test.afterAll(() => leave(ana));

const pathOf = (page: Page) => new URL(page.url()).pathname;
const originOf = (page: Page) => new URL(page.url()).origin;
const here = () => `/c/team/${place.path.id}`;
/** Opens the conversation from the list; journeys that end there leave the page at the list, maybe still on its way. */
const enter = async (page: Page) => {
  if (page.url() !== `${originOf(page)}/`) await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Choose a conversation' })).toBeVisible();
  await openConversation(page, place.title);
};
const panel = (page: Page, name: string) => page.getByRole('complementary', { name });
const members = (page: Page) => page.getByRole('button', { name: 'Members', exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const search = (page: Page) => page.getByRole('combobox', { name: 'Search' });
const openAccount = (page: Page) => page.getByRole('button', { name: /account and settings/ }).click();

/** How each layer opens in a conversation, and by which element it is known. */
const layers: [string, (page: Page) => Promise<void>, (page: Page) => ReturnType<Page['getByRole']>][] = [
  [
    'a menu',
    (page) => page.getByRole('button', { name: 'Conversation actions' }).click(),
    (page) => page.getByRole('menu'),
  ],
  [
    'a dialog that a menu opened',
    async (page) => {
      await page.getByRole('button', { name: 'Conversation actions' }).click();
      await page.getByRole('menuitem', { name: 'Settings', exact: true }).click();
    },
    dialog,
  ],
  ['the emojis', (page) => page.getByRole('button', { name: 'Add emoji' }).click(), dialog],
  ['the pins', (page) => page.getByRole('button', { name: 'Pinned messages' }).click(), dialog],
  ['the quick switcher', (page) => page.keyboard.press('Control+k'), dialog],
  ['the page of shortcuts', (page) => page.keyboard.press('Control+/'), dialog],
  [
    'a new conversation',
    (page) => page.getByRole('button', { name: 'New conversation' }).first().click(),
    dialog,
  ],
  ['the members', (page) => members(page).click(), (page) => panel(page, 'Members')],
  ['a thread', (page) => act(page, asked, /Reply in thread/), (page) => panel(page, 'Thread')],
  [
    'a photo',
    (page) =>
      message(page, shown)
        .getByRole('button', { name: /^Photo/ })
        .click(),
    (page) => page.getByRole('dialog', { name: 'Photos' }),
  ],
  [
    'a profile',
    (page) => message(page, asked).getByRole('button', { name: '@Ana Ribeiro' }).click(),
    (page) => page.getByRole('dialog', { name: 'Ana Ribeiro' }),
  ],
  ['the choice of a time', (page) => act(page, asked, /^Remind me/), dialog],
  ['the search', (page) => page.keyboard.press('Control+f'), search],
];

for (const [name, open, shown] of layers)
  test(`W2 Back closes ${name} before it leaves the conversation, and Forward breaks nothing`, async () => {
    const { page } = ana;
    await enter(page);
    await open(page);
    await expect(shown(page)).toBeVisible();

    await page.goBack();
    await expect(shown(page)).toBeHidden();
    expect(pathOf(page)).toBe(here());
    await page.goForward();
    await page.waitForTimeout(100);
    expect(pathOf(page)).toBe(here());
    await expect(composer(page)).toBeVisible();
    // A panel has an address and is open again, maybe not drawn yet; the rest stays closed.
    if (/[?&](panel|thread|q)=/.test(page.url())) {
      await expect(shown(page)).toBeVisible();
      await page.goBack();
    }
    await expect(shown(page)).toBeHidden();
    await page.goBack();

    await expect(page).toHaveURL(/\/$/);
  });

test('W2 a layer has its step before it is painted: Back may come at once', async () => {
  const { page } = ana;
  await enter(page);
  // The steps of layers, in the task in which something opens.
  const layersOf = (selector: string) =>
    page.evaluateHandle((wanted) => {
      const seen = Promise.withResolvers<number>();
      new MutationObserver(async (_, observer) => {
        if (!document.querySelector(wanted)) return;
        observer.disconnect();
        for (let turn = 0; turn < 20; turn += 1) await null;
        seen.resolve(history.state.layers);
      }).observe(document.body, { childList: true, subtree: true });
      return { seen: seen.promise };
    }, selector);
  const steps = async (selector: string, open: () => Promise<void>) => {
    const handle = await layersOf(selector);
    await open();
    return handle.evaluate(({ seen }) => seen);
  };

  expect(
    await steps('[role="menu"]', () => page.getByRole('button', { name: 'Conversation actions' }).click()),
  ).toBe(1);
  await page.goBack();
  await expect(page.getByRole('menu')).toBeHidden();
  expect(await steps('[role="dialog"]', () => page.keyboard.press('Control+/'))).toBe(1);
  await page.goBack();
  await expect(dialog(page)).toBeHidden();
  expect(pathOf(page)).toBe(here());
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
});

test('W2 the name of a button goes with the panel that it is in', async () => {
  const { page } = ana;
  await enter(page);
  await act(page, asked, /Reply in thread/);
  const name = page.getByText('Add emoji', { exact: true });
  await panel(page, 'Thread').getByRole('button', { name: 'Add emoji' }).hover();
  await expect(name).toBeVisible();

  await page.goBack();
  await expect(panel(page, 'Thread')).toBeHidden();
  await expect(name).toBeHidden();
});

test('W2 opening and closing twenty times, by the cross and by Escape, leaves one step', async () => {
  const { page } = ana;
  await enter(page);
  // The list of completions closes first, too, and leaves what was typed.
  await composer(page).pressSequentially('@b');
  await expect(page.getByRole('listbox')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('listbox')).toBeHidden();
  await expect(composer(page)).toHaveValue('@b');
  expect(pathOf(page)).toBe(here());
  await composer(page).fill('');
  const before = await page.evaluate(() => history.length);
  for (let count = 0; count < 10; count += 1) {
    await members(page).click();
    const shown = panel(page, 'Members');
    await expect(shown).toBeVisible();
    await shown.getByRole('button', { name: 'Close' }).click();
    await expect(shown).toBeHidden();
    await page.keyboard.press('Control+/');
    await expect(dialog(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
  }
  await page.waitForTimeout(100);

  expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(before + 1);
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
});

test('W2 a conversation opened from a dialog leaves no step of the dialog behind', async () => {
  const { page } = ana;
  await enter(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Bo Lindqvist');
  await page.getByRole('option', { name: 'Bo Lindqvist' }).first().click();
  await expect(page.getByRole('heading', { name: /Bo Lindqvist/, level: 1 })).toBeVisible();

  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`${here()}$`));
  await expect(dialog(page)).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
});

test('W2 a reload keeps the panel, the thread, the search with its words and the archive', async () => {
  const { page } = ana;
  await enter(page);
  await members(page).click();
  await expect(panel(page, 'Members')).toBeVisible();
  await page.reload();
  await expect(panel(page, 'Members')).toBeVisible();
  // Nothing lies below it now but the conversation before the reload.
  await panel(page, 'Members').getByRole('button', { name: 'Close' }).click();
  await expect(panel(page, 'Members')).toBeHidden();

  await act(page, asked, /Reply in thread/);
  await expect(panel(page, 'Thread')).toBeVisible();
  await page.reload();
  await expect(panel(page, 'Thread').getByText(asked)).toBeVisible();
  await page.goBack();
  await expect(panel(page, 'Thread')).toBeHidden();

  await page.keyboard.press('Control+f');
  await search(page).fill(asked);
  await expect(page).toHaveURL(/[?&]q=Which/);
  await page.reload();
  await expect(search(page)).toHaveValue(asked);
  await expect(page.getByRole('option').filter({ hasText: asked }).first()).toBeVisible();
  await search(page).press('Escape');
  await expect(search(page)).toBeHidden();
  await expect(page).not.toHaveURL(/[?&]q=/);
});

test('M14 the archive and the hidden conversations have addresses and a way back', async () => {
  const { page } = ana;
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });
  await enter(page);
  for (const [entry, title, list] of [
    ['Archived conversations', 'Archived', 'archived'],
    ['Hidden conversations', 'Hidden', 'hidden'],
  ] as const) {
    await openAccount(page);
    await page.getByRole('menuitem', { name: entry }).click();
    await expect(heading(title)).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`${here()}\\?list=${list}$`));
    await page.reload();
    await expect(heading(title)).toBeVisible();
    await page.getByRole('button', { name: 'Back to conversations' }).click();
    await expect(heading('Chats')).toBeVisible();
    await openAccount(page);
    await page.getByRole('menuitem', { name: entry }).click();
    await page.goBack();
    await expect(heading('Chats')).toBeVisible();
  }
  await expect(conversation(page, place.title)).toBeVisible();
});

for (const [what, path] of [
  ['of a channel that is not there', '/c/team/never-was'],
  ['of a type that is not there', '/c/nothing/here'],
  ['that is not complete', '/c/team'],
  ['with signs that no id has', '/c/team/no%20such%3Aid!'],
] as const)
  test(`W2 an address ${what} says so, with a way to the list`, async () => {
    const { page } = ana;
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Conversation not found' })).toBeVisible();
    await page.getByRole('main').getByRole('button', { name: /^Back/ }).click();
    await expect(page).toHaveURL(/\/$/);
    await expect(page.getByRole('heading', { name: 'Choose a conversation' })).toBeVisible();
  });

test('M14 a conversation of others says that it is not found', async ({ browser }) => {
  // Ana is an administrator, who may read all.
  const { page, context } = await signIn(browser, /Priya Raman/);
  const id = fresh('Not for all').toLowerCase().replaceAll(' ', '-');
  await asServer().channels.create('messaging', id, { created_by_id: 'bo', members: ['bo', 'ana'] });
  await page.goto(`/c/messaging/${id}`);
  await expect(page.getByRole('heading', { name: 'Conversation not found' })).toBeVisible();
  await context.close();
});

test('W2 the next user who signs in does not begin where the last one was', async ({ browser }) => {
  const { page, context } = await signInAt(browser, /Priya Raman/, 'general');
  await say(page, fresh('Bye'));
  await openConversation(page, 'random');
  await openAccount(page);
  await page.getByRole('menuitem', { name: /^Sign out/ }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.getByRole('button', { name: /Bo Lindqvist/ }).click();

  await expect(page.getByRole('heading', { name: 'Choose a conversation' })).toBeVisible();
  await expect(message(page, 'Bye')).toHaveCount(0);
  await page.goBack();
  expect(page.url()).not.toContain('/c/');
  await context.close();
});
