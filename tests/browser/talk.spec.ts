import { expect, type Page, test } from '@playwright/test';
import {
  act,
  anaAndBoTalking,
  asServer,
  composer,
  conversation,
  feed,
  fresh,
  leave,
  message,
  openConversation,
  ownChannel,
  type Person,
  say,
  signIn,
} from './people.ts';

let ana: Person;
let bo: Person;

test.beforeAll(async ({ browser }) => {
  ({ ana, bo } = await anaAndBoTalking(browser));
});

test.afterAll(() => leave(ana, bo));

test('W2 two people in two browsers talk both ways', async () => {
  const hello = fresh('Hello Bo');
  const answer = fresh('Hello Ana');

  await say(ana.page, hello);
  await expect(message(bo.page, hello)).toBeVisible();
  await say(bo.page, answer);

  await expect(message(ana.page, answer)).toBeVisible();
});

test('M9 one sees the other type', async () => {
  await composer(bo.page).pressSequentially('Let me think');

  await expect(ana.page.getByText('Bo Lindqvist is typing').first()).toBeVisible();
  await composer(bo.page).fill('');
});

test('M10 the sender sees that it was read', async () => {
  const text = fresh('Did you see this?');

  await say(ana.page, text);
  await bo.page.bringToFront();
  await expect(message(bo.page, text)).toBeVisible();

  await expect(feed(ana.page).getByText('Read', { exact: true })).toBeVisible();
});

test('M5 a reaction appears on both sides and goes again', async () => {
  const text = fresh('Cake at four');
  await say(ana.page, text);

  await act(bo.page, text, /Add reaction/);
  await bo.page.getByRole('button', { name: 'React with 👍' }).first().click();
  const chip = message(ana.page, text).getByRole('button', { name: /👍, 1 reaction/ });
  await expect(chip).toBeVisible();
  await message(bo.page, text)
    .getByRole('button', { name: /👍, 1 reaction/ })
    .click();

  await expect(chip).toHaveCount(0);
});

test('M4 an edit, a quote and a delete reach the other side', async () => {
  const text = fresh('We meet at five');
  const better = fresh('We meet at six');
  await say(ana.page, text);

  await act(ana.page, text, /^Edit$/);
  await composer(ana.page).fill(better);
  await composer(ana.page).press('Enter');
  await expect(message(bo.page, better)).toContainText('edited');
  await act(bo.page, better, /^Reply$/);
  const answer = fresh('Six is fine');
  await say(bo.page, answer);
  await expect(message(ana.page, answer)).toContainText(better);
  await act(ana.page, better, /^Delete$/);
  await ana.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();

  await expect(feed(bo.page).getByText('This message was deleted').last()).toBeVisible();
});

test('C7 one goes offline and comes back with nothing missing, and what they wrote goes out once', async () => {
  const [missed, written] = [fresh('Said while you were away'), fresh('Written in a tunnel')];
  await bo.context.setOffline(true);
  await expect(bo.page.getByText(/You're offline/)).toBeVisible();

  await say(ana.page, missed);
  await say(bo.page, written);
  await expect(message(ana.page, written)).toHaveCount(0);
  await bo.context.setOffline(false);

  await expect(message(bo.page, missed)).toBeVisible();
  await expect(message(ana.page, written)).toHaveCount(1);
  await expect(message(bo.page, written)).toHaveCount(1);
});

test('M3 rows stand one below the other, whatever came and went between them', async () => {
  for (const { page } of [ana, bo]) {
    await page.bringToFront();
    const boxes = await feed(page)
      .getByRole('article')
      .evaluateAll((rows) =>
        rows.map((row) => row.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]),
      );
    const gaps = boxes.slice(1).map(([top], index) => (top ?? 0) - (boxes[index]?.[1] ?? 0));

    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(-1);
    expect(Math.max(...gaps)).toBeLessThan(60);
  }
});

const entry = 'nav a[href^="/c/"]';
const row = '[role="feed"] article';

/** The number of elements that were drawn again since the last call: React keeps the props of the last drawing on the element. */
const drawnAgain = (page: Page, what: string): Promise<number> =>
  page.evaluate((selector) => {
    const elements = [...document.querySelectorAll(selector)];
    const propsOf = (element: Element) =>
      Object.entries(element).find(([name]) => name.startsWith('__reactProps'))?.[1];
    const before: Map<Element, unknown> = Reflect.get(window, `drawn ${selector}`) ?? new Map();
    Reflect.set(window, `drawn ${selector}`, new Map(elements.map((one) => [one, propsOf(one)])));
    return elements.filter((one) => before.get(one) !== propsOf(one)).length;
  }, what);

test('M3 a message that comes and is read draws its own entry of the list again, and no other messages', async () => {
  const { page } = ana;
  const words = fresh('News');
  expect(await page.locator(entry).count()).toBeGreaterThan(8);
  await expect.poll(() => drawnAgain(page, entry)).toBe(0);
  await asServer().messages.send('team:random', 'priya', { text: words });
  await expect(conversation(page, 'random')).toContainText(words);
  const unread = conversation(page, 'random').getByRole('img', { name: /unread/ });
  await expect(unread).toBeVisible();
  // Its own, and those that have another neighbour now.
  expect(await drawnAgain(page, entry)).toBeLessThanOrEqual(4);

  const read = page.waitForResponse((reply) => reply.url().includes('/read') && reply.ok());
  await openConversation(page, 'random');
  await read;
  await expect(unread).toHaveCount(0);
  expect(await drawnAgain(page, entry)).toBeLessThanOrEqual(4);

  expect(await page.locator(row).count()).toBeGreaterThan(5);
  await expect.poll(() => drawnAgain(page, row)).toBe(0);
  const readAgain = page.waitForResponse((reply) => reply.url().includes('/read') && reply.ok());
  await asServer().messages.send('team:random', 'priya', { text: fresh('More news') });
  await readAgain;
  await expect(message(page, 'More news')).toBeVisible();
  // The new one, and the one that is no longer the last of its author.
  expect(await drawnAgain(page, row)).toBeLessThanOrEqual(4);
  await openConversation(page, 'Bo Lindqvist');
});

test('M3 a conversation that is pressed while a message moves it in the list is opened', async () => {
  const { page } = ana;
  const other = await ownChannel('Moves up', ['ana', 'bo']);
  const wanted = await ownChannel('Moves down', ['ana', 'bo']);
  await conversation(page, wanted.title).hover();
  await page.mouse.down();
  const text = fresh('Now on top');
  await asServer().messages.send(other.cid, 'bo', { text });
  await expect(conversation(page, other.title)).toContainText(text);
  await page.mouse.up();

  await expect(page.getByRole('main').getByRole('heading', { name: wanted.title })).toBeVisible();
  const both = page.getByRole('link').filter({ hasText: /Moves (up|down)/ });
  await expect(both.first()).toContainText(other.title);
  await openConversation(page, 'Bo Lindqvist');
});

test('C4 Strict Mode leaves one socket', async ({ browser }) => {
  const priya = await signIn(browser, /Priya Raman/);
  await expect.poll(priya.sockets).toBe(1);
  await openConversation(priya.page, 'general');
  await say(priya.page, fresh('By one socket'));

  expect(priya.sockets()).toBe(1);
  await priya.context.close();
});
