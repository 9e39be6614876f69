import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import {
  asServer,
  cidOf,
  composer,
  expectOpen,
  fresh,
  leave,
  message,
  openConversation,
  ownChannel,
  type Person,
  type Place,
  signIn,
  signInAt,
} from './people.ts';
import { go } from './story.ts';

let ana: Person;
let place: Place;

test.beforeAll(async ({ browser }) => {
  place = await ownChannel('Switcher', ['ana', 'bo']);
  ana = await signIn(browser, /Ana Ribeiro/);
});
test.afterAll(() => leave(ana));
test.beforeEach(() => enter(ana.page));

const field = (page: Page) => page.getByRole('combobox', { name: /person or action/ });
const dialog = (page: Page) => page.getByRole('dialog');
/** Presses Enter as an input method does that offers words. */
const chooseWord = (element: Locator) =>
  element.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true });
/** Opens the conversation as a link does: every journey closes what it opened. */
const enter = async (page: Page): Promise<void> => {
  await go(page, `/c/team/${place.path.id}`);
  await expectOpen(page, place.title);
};

test('W2 the switcher opens with the cursor in its field, finds without accents, and leads there by Enter', async () => {
  const { page } = ana;
  await page.keyboard.press('Control+k');
  await page.keyboard.type('zzqqzz');
  await expect(field(page)).toBeFocused();
  await expect(page.getByText('Nothing found')).toBeVisible();
  await field(page).fill('GÉNER');
  await expect(page.getByRole('option', { selected: true })).toContainText('general');
  await chooseWord(field(page));
  await expect(field(page)).toBeVisible();
  await page.keyboard.press('Enter');

  await expect(page).toHaveURL(/\/c\/team\/general$/);
  await expectOpen(page, 'general');
  await expect(composer(page)).toHaveValue('');
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press('Control+k');
  // The one that was open before comes first.
  await expect(page.getByRole('option').first()).toContainText(place.title);
  await page.keyboard.press('Control+k');
  await expect(dialog(page)).toBeHidden();
});

test('W2 letters typed while the switcher loads are kept', async ({ browser }) => {
  // The journey has a channel of its own: a window that closes at once may leave its draft there.
  const { title } = await ownChannel('Keys alone', ['ana', 'bo']);
  const { page, context } = await signInAt(browser, /Ana Ribeiro/, title);
  await page.route(/\/switcher-/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('randoom');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('m', { delay: 50 });

  await expect(field(page)).toHaveValue('random');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(composer(page)).toHaveValue('');
  await context.close();
});

test('W2 Enter before the switcher is there does not send the draft below, and Escape gives up', async ({
  browser,
}) => {
  // The journey has a channel of its own: a window that closes at once may leave its draft there.
  const { title } = await ownChannel('Keys alone', ['ana', 'bo']);
  const { page, context } = await signInAt(browser, /Ana Ribeiro/, title);
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(/\/switcher-/, async (route) => {
    await held;
    await route.continue();
  });
  const draft = fresh('Half a thought');
  await composer(page).fill(draft);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('x');
  await page.keyboard.press('Enter');
  await expect(composer(page)).toHaveValue(draft);
  await page.keyboard.press('Escape');
  letGo();
  await page.waitForTimeout(300);
  await expect(dialog(page)).toBeHidden();
  await page.keyboard.type('!');
  await expect(composer(page)).toHaveValue(`${draft}!`);
  await expect(message(page, draft)).toHaveCount(0);
  await composer(page).fill('');
  await context.close();
});

test('W2 without a network the switcher says so, and letters are for the composer again', async ({
  browser,
}) => {
  // The journey has a channel of its own: a window that closes at once may leave its draft there.
  const { title } = await ownChannel('Keys alone', ['ana', 'bo']);
  const { page, context } = await signInAt(browser, /Ana Ribeiro/, title);
  await page.route(/\/switcher-/, (route) => route.abort());
  await page.keyboard.press('Control+k');
  await expect(page.getByText("Couldn't load this part of the app.")).toBeVisible();
  await composer(page).pressSequentially('still here');
  await expect(composer(page)).toHaveValue('still here');
  await composer(page).fill('');
  await context.close();
});

test('W2 the switcher takes the place of a page that holds nothing, and does not lie over a dialog that asks', async () => {
  const { page } = ana;
  await page.keyboard.press('Control+/');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await expect(dialog(page)).toHaveCount(1);
  await page.goBack();
  await expect(dialog(page)).toBeHidden();

  await page.getByRole('button', { name: 'New conversation' }).first().click();
  const people = dialog(page).getByRole('searchbox');
  await people.fill('Pri');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('ya');
  await expect(people).toHaveValue('Priya');
  await expect(field(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  expect(new URL(page.url()).pathname).toBe(`/c/team/${place.path.id}`);
});

test('W2 a key that is held acts once', async () => {
  const { page } = ana;
  await page.keyboard.down('Control');
  for (let count = 0; count < 4; count += 1) await page.keyboard.down('k');
  await page.keyboard.up('k');
  await page.keyboard.up('Control');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
});

test('W2 the switcher finds people and archived conversations, and runs actions', async () => {
  const { page } = ana;
  // The list comes by the page, and other journeys fill the first one: news bring Bo there.
  await openConversation(page, 'Bo Lindqvist');
  const news = fresh('Back again');
  await asServer().messages.send(cidOf(page), 'bo', { text: news });
  await expect(message(page, news)).toBeVisible();
  const archived = await ownChannel('Old plans', ['ana', 'bo']);
  await go(page, `/c/team/${archived.path.id}`);
  await expectOpen(page, archived.title);
  await page.getByRole('button', { name: 'Conversation actions' }).click();
  await page.getByRole('menuitem', { name: 'Archive', exact: true }).click();
  await expect(page.getByRole('menu')).toBeHidden();
  await page.keyboard.press('Control+k');
  await field(page).fill(archived.title);
  await expect(page.getByRole('option', { name: archived.title })).toContainText('Archived');
  await field(page).fill('bo lindq');
  await expect(page.getByRole('group', { name: 'Conversations' })).toContainText('Bo Lindqvist');
  await expect(page.getByRole('group', { name: 'People' })).toHaveCount(0);
  await field(page).fill('yuki');
  await expect(page.getByRole('group', { name: 'People' }).getByRole('option').first()).toContainText('Yuki');
  await field(page).fill('theme dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(dialog(page)).toBeHidden();

  await page.keyboard.press('Control+k');
  await field(page).fill('theme system');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).not.toHaveAttribute('data-theme', 'dark');
  await expect(dialog(page)).toBeHidden();
});

test('W2 the switcher is clean for screen readers, in light and dark', async () => {
  const { page } = ana;
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectAccessible(page);
  await field(page).fill('yuki');
  await expect(page.getByRole('group', { name: 'People' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
});

test('W2 a conversation without a name that is not listed yet is found by the people in it', async () => {
  const { page } = ana;
  const { channels } = asServer();
  const id = fresh('unnamed').replaceAll(' ', '-');
  await channels.create('messaging', id, { created_by_id: 'bo', members: ['ana', 'bo', 'yuki'] });
  // The page of the latest conversations, which would have it, does not come.
  await page.route(/\/api\/channels(\?|$)/, (route) =>
    route.request().postDataJSON()?.filter?.$and ? route.continue() : route.abort(),
  );
  await page.keyboard.press('Control+k');
  await field(page).fill('yuki');
  const found = page.getByRole('group', { name: 'Conversations' }).getByRole('option');
  await found.filter({ hasText: 'Yuki Tanabe' }).filter({ hasText: 'Bo Lindqvist' }).click();

  await expect(page).toHaveURL(new RegExp(`/c/messaging/${id}$`));
  await page.unroute(/\/api\/channels(\?|$)/);
  await channels.delete(`messaging:${id}`);
});
