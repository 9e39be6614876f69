import { expect, type Page, test } from '@playwright/test';
import {
  fresh,
  leave,
  message,
  openConversation,
  type Person,
  pointAt,
  say,
  signIn,
  signInAt,
} from './people.ts';

let priya: Person;
test.beforeAll(async ({ browser }) => {
  priya = await signIn(browser, /Priya Raman/);
});
test.afterAll(() => leave(priya));

/** Holds the calls of a page until they are let go. */
const hold = async (page: Page, call: RegExp): Promise<() => Promise<void>> => {
  const gate = Promise.withResolvers<void>();
  const held: Promise<void>[] = [];
  await page.route(call, (route) => {
    const going = gate.promise.then(() => route.continue());
    held.push(going);
    return going;
  });
  return async () => {
    gate.resolve();
    // The end of the interception lets calls go as well, and a call may go only once.
    await Promise.all(held);
    await page.unroute(call);
  };
};

const begin = async (page: Page, words: string) => {
  await openConversation(page, 'general');
  const text = fresh(words);
  await say(page, text);
  return message(page, text);
};

test('W2 a menu by keyboard: arrows choose, Escape gives the focus back to its button', async () => {
  const { page } = priya;
  // A message that is still being sent offers less: its menu grows while it is open.
  const letGo = await hold(page, /\/message$/);
  const row = await begin(page, 'Menu by keys');
  await pointAt(row);
  const more = row.getByRole('button', { name: 'More actions' });
  const entry = (at: number) => page.getByRole('menuitem').nth(at);

  await more.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await expect(more).toHaveAttribute('aria-expanded', 'true');
  await expect(entry(0)).toBeFocused();
  const few = await page.getByRole('menuitem').allInnerTexts();
  await letGo();
  await expect(entry(0)).toHaveText('Reply');
  expect(few).not.toContain('Reply');
  await expect(entry(0)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(entry(1)).toBeFocused();
  await page.keyboard.press('Escape');

  await expect(page.getByRole('menu')).toBeHidden();
  await expect(more).toBeFocused();
});

test('W2 after a deletion by keyboard the focus is on a neighbour; who thinks better of it is back at the message', async () => {
  const { page } = priya;
  const [stays, goes] = [await begin(page, 'Stays here'), await begin(page, 'Goes away')];
  const answer = async (name: 'Cancel' | 'Delete') => {
    await pointAt(goes);
    await goes.getByRole('button', { name: 'More actions' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name }).press('Enter');
    await expect(dialog).toBeHidden();
  };

  await answer('Cancel');
  await expect(goes).toBeFocused();
  await answer('Delete');

  await expect(goes).toHaveCount(0);
  await expect(stays).toBeFocused();
});

test('W2 a dialog begins at what is to be filled in or chosen, not at its cross', async ({ browser }) => {
  const { page, context } = await signInAt(browser, /Ana Ribeiro/, 'general');
  const dialog = page.getByRole('dialog');
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Conversation actions' }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };

  await choose('Settings');
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.press('Escape');
  await choose('Mute');
  await expect(dialog.getByRole('button', { name: 'For 1 hour' })).toBeFocused();
  await page.keyboard.press('Escape');
  await choose('Leave');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Conversation actions' })).toBeFocused();

  await page.getByRole('button', { name: 'New conversation' }).first().click();
  await expect(dialog.getByRole('searchbox')).toBeFocused();
  await context.close();
});

test('W2 the button of a menu closes it too, and so does a press elsewhere', async () => {
  const { page } = priya;
  const row = await begin(page, 'Menu by pointer');
  await pointAt(row);
  const more = row.getByRole('button', { name: 'More actions' });
  const menu = page.getByRole('menu');

  await more.click();
  await expect(menu).toBeVisible();
  await more.click();
  await expect(menu).toBeHidden();
  await more.click();
  await expect(menu).toBeVisible();
  await page.getByRole('main').getByRole('textbox').click();

  await expect(menu).toBeHidden();
});

test('W2 typing goes on while a menu closes', async () => {
  const { page } = priya;
  await openConversation(page, 'general');
  const field = page.getByRole('main').getByRole('textbox');
  const chooser = page.waitForEvent('filechooser');

  await page.getByRole('main').getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Photo or file' }).evaluate(async (entry: HTMLElement) => {
    entry.click();
    await new Promise((resolve) => setTimeout(resolve, 60));
    document.querySelector<HTMLElement>('main textarea')?.focus();
  });
  await chooser;
  await page.keyboard.type('I was about to say', { delay: 30 });

  await expect(page.getByRole('menu')).toBeHidden();
  await expect(field).toHaveValue('I was about to say');
  await field.fill('');
});

for (const role of ['menu', 'dialog'] as const)
  test(`W2 a ${role} that comes late leaves the focus to a user who has gone on`, async () => {
    const { page } = priya;
    const letGo = await hold(page, /\/popups-/);
    await page.reload();
    const row = await begin(page, 'Late popup');
    const field = page.getByRole('main').getByRole('textbox');
    await pointAt(row);
    const emojis = page.getByRole('main').getByRole('button', { name: 'Add emoji' });
    await (role === 'menu' ? row.getByRole('button', { name: 'More actions' }) : emojis).focus();
    await page.keyboard.press('Enter');
    await field.focus();
    await page.keyboard.type('I was ');
    await letGo();
    await expect(page.getByRole(role)).toBeVisible();
    await page.keyboard.type('about to say');

    await expect(field).toHaveValue('I was about to say');
    await expect(field).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole(role)).toBeHidden();
    await expect(field).toBeFocused();
    await field.fill('');
  });

test('W2 a button says what it does to who points at it or reaches it by key', async () => {
  const { page } = priya;
  await openConversation(page, 'general');
  const button = page.getByRole('button', { name: 'Add emoji' });
  const tip = page.getByText('Add emoji', { exact: true });

  await button.hover();
  await expect(tip).toBeVisible();
  await page.mouse.move(400, 300);

  await expect(tip).toBeHidden();
});

test('W2 a part that cannot be fetched leaves the screen standing, says so once, and comes by itself', async () => {
  const { page } = priya;
  await page.route(/\/popups-/, (route) => route.abort());
  await page.reload();
  const row = await begin(page, 'No menu today');
  await pointAt(row);
  const more = row.getByRole('button', { name: 'More actions' });
  // By key the words of the button are asked for at once, and then its menu: both are missing.
  await more.focus();
  await page.keyboard.press('Enter');
  await expect(more).toHaveAttribute('aria-expanded', 'true');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText("Couldn't load");
  await page.getByRole('button', { name: 'Add emoji' }).click();

  await say(page, fresh('Still here'));
  await expect(alert).toHaveCount(1);
  await expect(alert.getByRole('button', { name: 'Reload' })).toHaveCount(0);
  await page.unroute(/\/popups-/);
  // No reload: it comes by itself.
  await expect(alert).toHaveCount(0);
  const [emojis, menu] = [page.getByRole('dialog', { name: 'Emojis' }), page.getByRole('menu')];
  await expect(menu).toBeVisible();
  await expect(emojis).toBeVisible();
  // Either may have come last, and have the focus: the order in which they close is not settled.
  await expect(async () => {
    await page.keyboard.press('Escape');
    await expect(emojis.or(menu)).toHaveCount(0, { timeout: 1000 });
  }).toPass();
  await openConversation(page, 'general');
});
