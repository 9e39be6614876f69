import { expect, test } from '@playwright/test';
import {
  act,
  anaAndBoTalking,
  asServer,
  beginChannel,
  cidOf,
  composer,
  conversation,
  feed,
  fresh,
  leave,
  message,
  openConversation,
  type Person,
  say,
  unreadOf,
} from './people.ts';

let ana: Person;
let bo: Person;

test.beforeAll(async ({ browser }) => {
  ({ ana, bo } = await anaAndBoTalking(browser));
});
test.afterAll(() => leave(ana, bo));

test('M10 the info of a message says who has read it, and when', async () => {
  const text = fresh('Who saw this?');
  await composer(ana.page).fill(`**${text}**`);
  await composer(ana.page).press('Enter');
  await bo.page.bringToFront();
  await expect(message(bo.page, text)).toBeVisible();
  await expect(ana.page.getByRole('main').getByText('Read', { exact: true })).toBeVisible();

  await act(ana.page, text, /^Message info$/);

  await expect(ana.page.getByRole('dialog').getByText(text, { exact: true })).toBeVisible();
  const readers = ana.page.getByRole('region', { name: 'Read by' });
  await expect(readers).toContainText('Bo Lindqvist');
  // A reader has received it.
  await expect(ana.page.getByRole('region', { name: 'Delivered to' })).toContainText('1 of 1');
  await expect(readers).toContainText('1 of 1');
  await ana.page.keyboard.press('Escape');
});

test('M10 the info of a message that did not come is asked for again by itself', async () => {
  const receipts = '**/api/messages/*/receipts';
  await ana.page.route(receipts, (route) => route.abort());
  const text = fresh('Ask again');
  await say(ana.page, text);
  await act(ana.page, text, /^Message info$/);
  await expect(ana.page.getByRole('dialog').getByRole('alert')).toHaveText("Couldn't load this");

  await ana.page.unroute(receipts);

  await expect(ana.page.getByRole('region', { name: 'Read by' })).toBeVisible();
  await ana.page.keyboard.press('Escape');
});

test('M10 the info of a message follows who reads it while it is open', async () => {
  await bo.page.goto('/threads');
  const text = fresh('Not seen yet');
  await say(ana.page, text);
  await act(ana.page, text, /^Message info$/);
  const readers = ana.page.getByRole('region', { name: 'Read by' });
  await expect(readers).toContainText('0 of 1');

  await bo.page.bringToFront();
  await openConversation(bo.page, 'Ana Ribeiro');

  await expect(readers).toContainText('1 of 1');
  await expect(readers).toContainText('Bo Lindqvist');
  await ana.page.keyboard.press('Escape');
});

test('M10 marked unread it stays so, in list, title and icon, and the app says why', async () => {
  const text = fresh('Read me later');
  await say(ana.page, text);
  await bo.page.bringToFront();
  await act(bo.page, text, /^Mark as unread$/);

  await expect(conversation(bo.page, 'Ana Ribeiro').getByRole('img', { name: /1 unread/ })).toBeVisible();
  await expect(bo.page).toHaveTitle(/^\(\d+\+?\) (Ana Ribeiro · )?Parley$/);
  const icon = bo.page.locator('link[rel=icon]');
  await expect(icon).toHaveAttribute('href', /circle/);
  await bo.page.getByRole('button', { name: /account and settings/ }).click();
  await bo.page.getByRole('menuitem', { name: 'Unread summary' }).click();
  const why = bo.page.getByRole('region', { name: /1 unread in Ana Ribeiro/ });
  await expect(why).toContainText('You marked it as unread');
  await expect(why).toContainText(text);
});

test('M11 sent, delivered, read: the sender sees each, with who and when', async () => {
  await openConversation(ana.page, 'Bo Lindqvist');
  await bo.page.goto('/threads');
  const main = ana.page.getByRole('main');
  const reports: { at: number; ids: string[] }[] = [];
  bo.page.on('request', (request) => {
    if (!request.url().endsWith('/channels/delivered')) return;
    const latest: { id: string }[] = request.postDataJSON().latest_delivered_messages;
    reports.push({ at: Date.now(), ids: latest.map(({ id }) => id) });
  });
  const text = fresh('On its way');
  const sentAt = Date.now();
  await say(ana.page, text);
  await expect(main.getByText('Delivered', { exact: true })).toBeVisible();
  // Earlier deliveries may be reported late: only those of this message count.
  const key = await feed(ana.page).locator('[data-key]').filter({ hasText: text }).getAttribute('data-key');
  const own = () => reports.filter(({ ids }) => ids.includes(key ?? ''));
  expect(own()).toHaveLength(1);
  expect((own()[0]?.at ?? 0) - sentAt).toBeGreaterThan(950);

  await act(ana.page, text, /^Message info$/);
  const delivered = ana.page.getByRole('region', { name: 'Delivered to' });
  await expect(delivered.getByRole('listitem').filter({ hasText: 'Bo Lindqvist' })).toContainText(
    /\d\d:\d\d/,
  );
  await expect(ana.page.getByRole('region', { name: 'Read by' })).toContainText('Nobody yet');
  await ana.page.keyboard.press('Escape');
  await openConversation(bo.page, 'Ana Ribeiro');
  await bo.page.bringToFront();

  await expect(main.getByText('Read', { exact: true })).toBeVisible();
  await act(ana.page, text, /^Message info$/);
  const readers = ana.page.getByRole('region', { name: 'Read by' });
  await expect(readers.getByRole('listitem').filter({ hasText: 'Bo Lindqvist' })).toContainText(/\d\d:\d\d/);
  await ana.page.keyboard.press('Escape');
  // A report goes out within a second: none may.
  await bo.page.waitForTimeout(2500);
  expect(own()).toHaveLength(1);
});

test('M10 unread counts per channel, per thread and in the title add up', async () => {
  const { page } = bo;
  const name = fresh('Side project');
  await beginChannel(ana.page, name, ['Bo Lindqvist']);
  const cid = cidOf(ana.page);
  const server = asServer();
  const parent = await server.messages.send(cid, 'bo', { text: fresh('Any ideas?') });
  await page.goto('/threads');
  const titleCount = async () => Number(/^\((\d+)/.exec(await page.title())?.[1] ?? 0);
  const threads = page.getByRole('link', { name: /^Threads/ });
  const threadCount = async () => Number(/\d+/.exec((await threads.textContent()) ?? '')?.[0] ?? 0);
  await expect(conversation(page, name)).toBeVisible();
  const { messages, threads: unread } = await unreadOf('bo');
  // The counts are drawn once more when the total comes.
  const before = { title: messages + unread, threads: unread };
  await expect.poll(titleCount).toBe(before.title);
  await expect.poll(threadCount).toBe(before.threads);
  await say(ana.page, fresh('one'));
  await say(ana.page, fresh('two'));
  await server.messages.send(cid, 'ana', { text: 'three, in its thread', parent_id: parent.id });

  await expect(conversation(page, name).getByRole('img', { name: /2 unread/ })).toBeVisible();
  await expect.poll(threadCount).toBe(before.threads + 1);
  await expect.poll(titleCount).toBe(before.title + 3);
  await page.getByRole('button', { name: /account and settings/ }).click();
  await page.getByRole('menuitem', { name: 'Unread summary' }).click();
  const why = page.getByRole('dialog');
  await expect(why.getByRole('region', { name: `2 unread in ${name}` })).toContainText('one');
  const thread = why.getByRole('region', { name: `1 unread in a thread in ${name}` });
  await expect(thread).toContainText('Any ideas?');
  await page.keyboard.press('Escape');
  await openConversation(page, name);
  await page.bringToFront();
  await expect(conversation(page, name).getByRole('img', { name: /unread/ })).toHaveCount(0);
  await expect.poll(titleCount).toBe(before.title + 1);
  await page.goto(`${new URL(page.url()).pathname}?thread=${parent.id}`);
  await expect.poll(threadCount).toBe(before.threads);
  await expect.poll(titleCount).toBe(before.title);
});

test('M11 a channel that grows past the limit while it is open: marks become counts, and it says so', async () => {
  const server = asServer();
  const type = `hall-${Date.now().toString(36)}`;
  await server.channelTypes.create({ name: type, marks_limit: 3 });
  const name = fresh('Town hall');
  const members = ['ana', 'bo', 'priya'];
  await server.channels.create(type, 'hall', { created_by_id: 'ana', name, members });
  await server.messages.send(`${type}:hall`, 'priya', { text: 'Welcome' });
  await openConversation(bo.page, name);
  await openConversation(ana.page, name);
  const text = fresh('All here?');
  await say(ana.page, text);
  await bo.page.bringToFront();
  const main = ana.page.getByRole('main');
  await expect(main.getByRole('img', { name: 'Seen by Bo Lindqvist' })).toBeVisible();

  await server.channels.addMembers(`${type}:hall`, ['yuki', 'omar']);

  await expect(main.getByText(/Read · \d of 4/)).toBeVisible();
  await main.getByText(/Read · \d of 4/).hover();
  await expect(ana.page.getByText(/marks are counts/).first()).toBeVisible();
  await act(ana.page, text, /^Message info$/);
  await expect(ana.page.getByRole('region', { name: 'Read by' })).toContainText('Bo Lindqvist');
  await ana.page.keyboard.press('Escape');
  await ana.page.getByRole('button', { name: 'Members', exact: true }).click();
  const panel = ana.page.getByRole('complementary', { name: 'Members' });
  await expect(panel).toContainText('you see how many people read a message, not who');
  await panel.getByRole('button', { name: 'Close' }).click();
  await server.channels.removeMembers(`${type}:hall`, ['yuki', 'omar']);
  await expect(main.getByRole('img', { name: 'Seen by Bo Lindqvist' })).toBeVisible();
  await expect(composer(ana.page)).toBeVisible();
});
