import { expect, test } from '@playwright/test';
import { violations } from './axe.ts';
import {
  composer,
  conversation,
  feed,
  fresh,
  message,
  openConversation,
  say,
  signIn,
  signInAt,
} from './people.ts';

test('C2 a guest takes part where guests may, and an anonymous visitor only looks on', async ({
  browser,
}) => {
  const guest = await (await browser.newContext()).newPage();
  await guest.goto('/');
  await guest.getByLabel('Your name').fill('Robin');
  await guest.getByRole('button', { name: 'Join as a guest' }).click();
  // Guests are not invited to start what they may not.
  await expect(conversation(guest, 'The Heron, live')).toBeVisible();
  await expect(guest.getByRole('button', { name: 'New conversation' })).toHaveCount(0);
  await expect(guest.getByText(/start a new one/)).toHaveCount(0);
  await openConversation(guest, 'The Heron, live');
  const text = fresh('Hello from a guest');
  await say(guest, text);
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto('/');
  await visitor.getByRole('button', { name: 'Look around anonymously' }).click();
  await expect(visitor.getByText('Everyone may read the open channels.')).toBeVisible();
  await openConversation(visitor, 'The Heron, live');

  await expect(message(visitor, text)).toBeVisible();
  await expect(composer(visitor)).toBeDisabled();
  for (const page of [guest, visitor]) await page.context().close();
});

test('W1 someone new signs in under their own name and finds people talking', async ({ browser }) => {
  const page = await (await browser.newContext()).newPage();
  await page.goto('/');
  await page.getByLabel('Your name').fill('Noor');
  await page.getByRole('button', { name: 'Continue' }).click();
  await openConversation(page, 'general');
  const text = fresh('Hi, I am new here');

  await say(page, text);
  await page.reload();

  await openConversation(page, 'general');
  await expect(message(page, text)).toBeVisible();
  await page.context().close();
});

test('W1 a user who signs out in one tab is signed out in the others of that browser', async ({
  browser,
}) => {
  const { page, context } = await signIn(browser, /Priya Raman/);
  const second = await context.newPage();
  await second.goto('/');
  await expect(second.getByRole('navigation', { name: 'Conversations' })).toBeVisible();

  await page.getByRole('button', { name: /account and settings/ }).click();
  await page.getByRole('menuitem', { name: /Sign out/ }).click();

  for (const tab of [page, second]) await expect(tab.getByText('Who are you today?')).toBeVisible();
  await context.close();
});

test('W1 a sign-out leaves nothing of the person: no address, no draft, nothing stored, and no tab that slept', async ({
  browser,
}) => {
  const { page, context } = await signIn(browser, /Priya Raman/);
  const asleep = await context.newPage();
  await asleep.goto('/');
  await expect(asleep.getByRole('navigation', { name: 'Conversations' })).toBeVisible();
  // Like a tab that the browser has discarded: it receives nothing, and keeps its own storage.
  await asleep.goto('/healthz');
  await openConversation(page, 'general');
  await page.getByRole('button', { name: 'Members', exact: true }).click();
  await expect(page).toHaveURL(/panel=members/);
  const secret = fresh('Not for the next one');
  await composer(page).fill(secret);

  await page.getByRole('button', { name: /account and settings/ }).click();
  await page.getByRole('menuitem', { name: /Sign out/ }).click();
  await expect(page.getByText('Who are you today?')).toBeVisible();

  await expect(page).toHaveURL(/\/$/);
  await expect(page).toHaveTitle('Parley');
  const stored = () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]);
  await expect.poll(() => page.evaluate(stored)).not.toMatch(/priya|general|Not for the next one/i);
  await asleep.goto('/');
  await expect(asleep.getByText('Who are you today?')).toBeVisible();
  expect(await asleep.evaluate(stored)).not.toMatch(/priya|general/i);
  await context.close();

  // The words typed last are in the draft of the server.
  const again = await signIn(browser, /Priya Raman/);
  await openConversation(again.page, 'general');
  await expect(composer(again.page)).toHaveText(secret);
  await composer(again.page).fill('');
  await again.context.close();
});

test('M2 a new direct conversation and a new channel', async ({ browser }) => {
  const { page, context } = await signIn(browser, /Priya Raman/);
  await page.getByRole('button', { name: 'New conversation' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('searchbox').fill('Kiri');
  await dialog.getByRole('listitem').filter({ hasText: 'Kiri Paewai' }).click();
  await dialog.getByRole('button', { name: 'Start conversation' }).click();
  const text = fresh('Shall we ride on Sunday?');
  await say(page, text);

  await page.getByRole('button', { name: 'New conversation' }).first().click();
  await dialog.getByRole('tab', { name: 'Channel' }).click();
  await expect(dialog.getByLabel('Channel name')).toBeFocused();
  await dialog.getByLabel('Channel name').fill('Sunday ride');
  await dialog.getByRole('button', { name: 'Create channel' }).click();

  await expect(page.getByRole('main').getByText('Sunday ride').first()).toBeVisible();
  await context.close();
});

test('M3 older messages load above when one scrolls up', async ({ browser }) => {
  const { page, context } = await signInAt(browser, /Ana Ribeiro/, 'general');
  await expect(feed(page).getByRole('article').first()).toBeVisible();

  const oldest = feed(page).getByText(/good morning|welcome|hello/i);
  await expect(async () => {
    await feed(page).hover();
    await page.mouse.wheel(0, -1500);
    await expect(oldest.first()).toBeVisible({ timeout: 150 });
  }).toPass();
  await context.close();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`W2 sign-in and conversation are clean for screen readers (${colorScheme})`, async ({ browser }) => {
    const context = await browser.newContext({ colorScheme, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto('/');
    await expect(page.getByRole('button', { name: /Ana Ribeiro/ })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    const heading = page.getByRole('heading', { level: 1 });
    const gap = await heading.evaluate(
      (element) =>
        element.getBoundingClientRect().top -
        (element.previousElementSibling?.getBoundingClientRect().bottom ?? Number.NaN),
    );
    expect(gap).toBeGreaterThanOrEqual(8);

    await page.getByRole('button', { name: /Ana Ribeiro/ }).click();
    await openConversation(page, 'general');
    await expect(feed(page).getByRole('article').first()).toBeVisible();

    expect(await violations(page)).toEqual([]);
    await context.close();
  });
}

test('W2 a part that failed to load is requested again', async ({ browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const reads = /\/api\/channels(\?|$|\/.*\/query)/;
  await page.route(reads, (route) => route.abort());
  await page.goto('/');
  await page.getByRole('button', { name: /Ana Ribeiro/ }).click();
  await expect(page.getByRole('heading', { name: "Couldn't load this" }).first()).toBeVisible();

  await page.unroute(reads);
  await openConversation(page, 'general');
  await expect(page.getByRole('heading', { name: "Couldn't load this" })).toHaveCount(0);
  await context.close();
});

test('W2 by keyboard alone: sign in, choose a conversation, write', async ({ browser }) => {
  const page = await (await browser.newContext()).newPage();
  await page.goto('/');
  await page
    .getByRole('button', { name: /Priya Raman|Ana Ribeiro/ })
    .first()
    .focus();
  await page.keyboard.press('Enter');
  const list = page.getByRole('navigation', { name: 'Conversations' });
  await expect(list).toBeVisible();
  const item = conversation(page, 'general');
  await item.focus();
  await page.keyboard.press('Enter');
  await expect(composer(page)).toBeVisible();
  await composer(page).focus();
  const text = fresh('Typed without a mouse');

  await page.keyboard.type(text);
  await page.keyboard.press('Enter');

  await expect(message(page, text)).toBeVisible();
  await page.context().close();
});

test('M7 Enter that ends a composition sends nothing', async ({ browser }) => {
  const { page, context } = await signInAt(browser, /Priya Raman/, 'general');
  const box = composer(page);
  await box.focus();
  const session = await context.newCDPSession(page);
  await session.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
  await box.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true, bubbles: true });

  await expect(box).not.toHaveValue('');
  await context.close();
});
