import { expect, type Page, test } from '@playwright/test';
import {
  anaAndBo,
  asServer,
  conversation,
  feed,
  fresh,
  leave,
  openConversation,
  type Person,
  say,
  signIn,
} from './people.ts';
import { go, part, seedStory } from './story.ts';

const count = 300;
let ana: Person;
let bo: Person;

test.beforeAll(async ({ browser }) => {
  await seedStory({
    id: 'saga',
    name: 'Saga',
    count,
    readUpTo: { ana: count, bo: 100 },
    besides: [
      `update messages set text = text || ' porcupine' where id = 'saga-40'`,
      `update messages set pinned_at = now(), pinned_by = 'bo' where id = 'saga-60'`,
      `update messages set quoted_message_id = 'saga-20' where id = 'saga-299'`,
    ],
  });
  await seedStory({ id: 'note', name: 'Note', count: 12, readUpTo: { ana: 9, bo: 12 } });
  ({ ana, bo } = await anaAndBo(browser));
});

test.afterAll(() => leave(ana, bo));

const wheel = async (page: Page, by: number): Promise<void> => {
  await feed(page).hover();
  await page.mouse.wheel(0, by);
};

/** The parts that are drawn, and how far the first that begins in view stands below the upper edge. */
const shown = (page: Page) =>
  feed(page).evaluate((list) => {
    const line = list.getBoundingClientRect().top;
    const rows = Array.from(list.querySelectorAll<HTMLElement>('[data-key]'))
      .filter(({ dataset }) => /-\d+$/.test(dataset.key ?? ''))
      .map((row) => ({
        part: Number(row.dataset.key?.split('-')[1]),
        top: row.getBoundingClientRect().top - line,
      }))
      .filter(({ part }) => part > 0 && part <= 300);
    return { parts: rows.map(({ part }) => part), first: rows.find(({ top }) => top >= 0) };
  });

/** The rows shown once the list stands still: a wheel scrolls on for some frames. */
const shownAtRest = async (page: Page) => {
  let rest = await shown(page);
  await expect(async () => {
    const before = rest;
    rest = await shown(page);
    expect(rest).toEqual(before);
  }).toPass({ intervals: [100] });
  return rest;
};

test('M3 a reader who leaves and returns finds the place they read', async () => {
  const { page } = ana;
  await openConversation(page, 'Saga');
  await expect(part(page, 'saga', count)).toBeInViewport();
  for (let turn = 0; turn < 4; turn += 1) await wheel(page, -700);
  await expect(part(page, 'saga', count)).not.toBeInViewport();
  const before = await shownAtRest(page);

  await openConversation(page, 'Bo Lindqvist');
  await expect(part(page, 'saga', before.first?.part ?? 0)).toHaveCount(0);
  await openConversation(page, 'Saga');
  await expect(part(page, 'saga', before.first?.part ?? 0)).toBeInViewport();

  const after = await shown(page);
  expect(after.first?.part).toBe(before.first?.part);
  expect(Math.abs((after.first?.top ?? 0) - (before.first?.top ?? 0))).toBeLessThanOrEqual(1);
});

test('M3 a reader further up sees how many messages came, and one button leads to them', async () => {
  const { page } = ana;
  await openConversation(page, 'Saga');
  await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeVisible();
  const { first } = await shown(page);
  await openConversation(bo.page, 'Saga');
  await say(bo.page, fresh('Something new'));
  const text = fresh('Something else');
  await say(bo.page, text);

  await expect(page.getByRole('button', { name: '2 new messages' })).toBeVisible();
  const still = (await shown(page)).first;
  expect(still?.part).toBe(first?.part);
  expect(Math.abs((still?.top ?? 0) - (first?.top ?? 0))).toBeLessThanOrEqual(1);
  await page.getByRole('button', { name: '2 new messages' }).click();

  await expect(feed(page).getByText(text)).toBeInViewport();
  await expect(page.getByRole('button', { name: /Jump to latest|new message/ })).toHaveCount(0);
});

test('M3 a jump to what is not loaded, and from there the pages come back in order, down to the newest', async () => {
  const { page } = ana;
  await go(page, '/c/team/saga?m=saga-5');
  await expect(part(page, 'saga', 5)).toBeInViewport();
  await expect(part(page, 'saga', 5)).toHaveAttribute('data-highlighted', 'true');
  await expect(conversation(page, 'Saga')).toContainText('Something else');

  const seen = new Set<number>();
  await expect(async () => {
    await wheel(page, 700);
    const { parts } = await shown(page);
    expect(parts).toEqual(Array.from(parts, (_, index) => (parts[0] ?? 0) + index));
    for (const number of parts) seen.add(number);
    expect(seen).toContain(count);
  }).toPass({ intervals: [50], timeout: 30_000 });

  expect(seen.size).toBeGreaterThan(count / 2);
  await wheel(page, 3000);
  await expect(feed(page).getByText('Something else')).toBeInViewport();
});

test('M3 a quote, a search result and a pin lead to messages that are not loaded', async () => {
  const { page } = ana;
  await page.goto('/c/team/saga');
  await expect(part(page, 'saga', 299)).toBeVisible();
  await expect(part(page, 'saga', 20)).toHaveCount(0);
  await part(page, 'saga', 299)
    .getByRole('button', { name: /Go to the message by/ })
    .click();
  await expect(part(page, 'saga', 20)).toBeInViewport();
  await expect(part(page, 'saga', 20)).toHaveAttribute('data-highlighted', 'true');

  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('combobox', { name: 'Search' }).fill('porcupine');
  await page.getByRole('option').filter({ hasText: 'porcupine' }).first().click();
  await expect(part(page, 'saga', 40)).toBeInViewport();
  await expect(part(page, 'saga', 40)).toHaveAttribute('data-highlighted', 'true');
  await page.getByRole('button', { name: 'Close search' }).click();

  await page.getByRole('button', { name: 'Pinned messages' }).click();
  const pins = page.getByRole('dialog', { name: 'Pinned messages' });
  await pins.getByRole('button').filter({ hasText: 'Part 60' }).click();
  await expect(part(page, 'saga', 60)).toBeInViewport();
  await expect(part(page, 'saga', 60)).toHaveAttribute('data-highlighted', 'true');
});

test('M3 after a gap too wide to follow, what is read stays though its window was replaced', async () => {
  const { page, context } = ana;
  await seedStory({ id: 'gap', name: 'Gap', count: 200, readUpTo: { ana: 200, priya: 200 } });
  await page.goto('/c/team/gap?m=gap-60');
  await expect(part(page, 'gap', 60)).toBeInViewport();
  await wheel(page, -90);
  const before = await shownAtRest(page);
  await context.setOffline(true);
  await expect(page.getByText(/You're offline/)).toBeVisible();
  for (let round = 0; round < 21; round += 1) {
    const sends = Array.from({ length: 50 }, () =>
      asServer().messages.send('team:gap', 'priya', { text: 'And on it went' }),
    );
    await Promise.all(sends);
  }

  const asked = page.waitForResponse((reply) => reply.url().includes('/channels/team/gap/query'));
  await context.setOffline(false);
  await asked;
  await expect(page.getByText(/You're offline/)).toHaveCount(0);
  await expect(part(page, 'gap', before.first?.part ?? 0)).toBeInViewport();
  // A late move of the rows would be the fault.
  await page.waitForTimeout(500);
  const after = await shown(page);
  expect(after.first?.part).toBe(before.first?.part);
  expect(Math.abs((after.first?.top ?? 0) - (before.first?.top ?? 0))).toBeLessThanOrEqual(1);
  await page.getByRole('button', { name: /new messages|Jump to latest/ }).click();
  await expect(feed(page).getByText('And on it went').last()).toBeInViewport();
});

test('M3 a link to what is gone says so and opens the channel; one to what was deleted leads to its place', async () => {
  const { page } = ana;
  await asServer().messages.delete('gap-150', { hard: true });
  await asServer().messages.delete('gap-60');
  for (const id of ['gap-150', 'never-was']) {
    await page.goto(`/c/team/gap?m=${id}`);
    await expect(page.getByText('That message is no longer available').first()).toBeVisible();
    await expect(feed(page).getByText('And on it went').last()).toBeInViewport();
    await expect(page.getByRole('main').getByRole('textbox')).toBeEnabled();
  }

  await page.goto('/c/team/gap?m=gap-60');
  await expect(part(page, 'gap', 60)).toHaveAttribute('data-highlighted', 'true');
  await expect(part(page, 'gap', 60)).toContainText('This message was deleted');
});

test('M3 the unread begin at a marker, and one beyond the loaded page is one step away', async ({
  browser,
}) => {
  const { page } = ana;
  await openConversation(page, 'Note');
  await expect(feed(page).getByText('3 new messages')).toBeInViewport();
  await expect(part(page, 'note', 10)).toBeInViewport();

  const late = await signIn(browser, /Bo Lindqvist/);
  await seedStory({ id: 'epic', name: 'Epic', count, readUpTo: { ana: count, bo: 100 } });
  await late.page.goto('/c/team/epic');
  await expect(part(late.page, 'epic', count)).toBeInViewport();
  await late.page.getByRole('button', { name: 'Jump to 200 unread messages' }).click();

  await expect(feed(late.page).getByText('200 new messages')).toBeInViewport();
  await expect(part(late.page, 'epic', 100)).toBeInViewport();
  await expect(part(late.page, 'epic', 101)).toBeInViewport();
  await expect(late.page.getByRole('button', { name: /unread messages/ })).toHaveCount(0);
  await late.context.close();
});

test('M3 keys go from message to message, and each says which of how many it is', async () => {
  const { page } = ana;
  await openConversation(page, 'Note');
  await feed(page).focus();
  await page.keyboard.press('ArrowUp');
  await expect(part(page, 'note', 12)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(part(page, 'note', 10)).toBeFocused();
  await expect(part(page, 'note', 10)).toHaveAttribute('aria-posinset', '10');
  await expect(part(page, 'note', 10)).toHaveAttribute('aria-setsize', '12');
  await page.keyboard.press('Home');
  await expect(part(page, 'note', 1)).toBeFocused();
  await page.keyboard.press('End');
  await expect(part(page, 'note', 12)).toBeFocused();

  await go(page, '/c/team/saga?m=saga-150');
  await expect(part(page, 'saga', 150)).toBeInViewport();
  await expect(part(page, 'saga', 150)).toHaveAttribute('aria-setsize', '-1');
  await feed(page).focus();
  await page.keyboard.press('ArrowUp');
  const focused = (): Promise<number> =>
    page.evaluate(() =>
      Number(document.activeElement?.closest<HTMLElement>('[data-key]')?.dataset.key?.split('-')[1]),
    );
  const goal = (await focused()) - 30;
  const above = part(page, 'saga', goal);
  // Keys may come faster than older messages load: one at the end of the loaded ones moves nothing.
  await expect(async () => {
    for (let left = (await focused()) - goal; left > 0; left -= 1) await page.keyboard.press('ArrowUp');
    expect(await focused()).toBe(goal);
  }).toPass();

  await expect(above).toBeFocused();
  await expect(above).toBeInViewport();
});
