import { expect, type Page, test } from '@playwright/test';
import {
  asServer,
  beginChannel,
  cidOf,
  composer,
  conversation,
  fresh,
  leave,
  openConversation,
  say,
  signIn,
} from './people.ts';

const begin = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'New conversation' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('searchbox').fill(name);
  await dialog
    .getByRole('button', { name: new RegExp(name) })
    .first()
    .click();
  await dialog.getByRole('button', { name: 'Start conversation' }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
};
const openMenu = (page: Page) => page.getByRole('button', { name: 'Conversation actions' }).click();
const openMembers = (page: Page) => page.getByRole('button', { name: 'Members', exact: true }).click();

test('M2 a direct conversation that is opened without writing shows nothing to the other, until the first message', async ({
  browser,
}) => {
  const [omar, yuki] = await Promise.all([signIn(browser, /Omar/), signIn(browser, /Yuki/)]);
  const omarName = 'Omar Haddad';
  await begin(omar.page, 'Yuki');
  await omar.page.reload();
  await expect(composer(omar.page)).toBeVisible();
  // A message in another channel comes later than what Omar did.
  const text = fresh('The kettle is on');
  await asServer().messages.send('team:general', 'dara', { text });
  await expect(yuki.page.getByText(text).first()).toBeVisible();
  await expect(conversation(yuki.page, omarName)).toHaveCount(0);
  await yuki.page.reload();
  await expect(yuki.page.getByText(text).first()).toBeVisible();
  await expect(conversation(yuki.page, omarName)).toHaveCount(0);

  await say(omar.page, fresh('Hello Yuki'));

  await expect(conversation(yuki.page, omarName).getByRole('img', { name: /1 unread/ })).toBeVisible();
  await leave(omar, yuki);
});

test('M2 adding somebody to a direct conversation begins a group and leaves the old one alone', async ({
  browser,
}) => {
  const [bo, priya] = await Promise.all([signIn(browser, /Bo Lindqvist/), signIn(browser, /Priya Raman/)]);
  const { page } = bo;
  await openConversation(page, 'Yuki Tanabe');
  const before = cidOf(page);
  await openMembers(page);
  const panel = page.getByRole('complementary', { name: 'Members' });
  await expect(panel.getByRole('listitem')).toHaveCount(2);
  await expect(panel).not.toContainText('2 members');
  await expect(panel).not.toContainText('Owner');

  await panel.getByRole('button', { name: 'New group with Yuki Tanabe' }).click();
  await expect(panel.getByRole('button', { name: 'Invite' })).toHaveCount(0);
  await panel.getByRole('searchbox').fill('Priya');
  await panel
    .getByRole('button', { name: /Priya Raman/ })
    .first()
    .click();
  await panel.getByRole('button', { name: 'Create group' }).click();

  await expect(page).not.toHaveURL(new RegExp(before.split(':')[1] ?? ''));
  await expect(page.getByRole('heading', { name: /Priya Raman, Yuki Tanabe/ })).toBeVisible();
  await say(page, fresh('Now we are three'));
  await expect(conversation(priya.page, 'Bo Lindqvist, Yuki Tanabe')).toBeVisible();
  await openConversation(page, 'Yuki Tanabe');
  expect(cidOf(page)).toBe(before);
  await leave(bo, priya);
});

for (const [device, options] of [
  ['a desktop', {}],
  ['a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
] as const)
  test(`M14 a direct conversation is hidden, not left, on ${device}`, async ({ browser }) => {
    const bo = await signIn(browser, /Bo Lindqvist/, options);
    const { page } = bo;
    await openConversation(page, 'Priya Raman');
    await expect(page).toHaveTitle(/Priya Raman · Parley$/);

    await openMenu(page);
    await expect(page.getByRole('menuitem', { name: 'Hide' })).toBeVisible();
    for (const name of ['Leave', 'Settings'])
      await expect(page.getByRole('menuitem', { name })).toHaveCount(0);
    await page.getByRole('menuitem', { name: 'Hide' }).click();

    await expect(conversation(page, 'Priya Raman')).toHaveCount(0);
    await asServer().messages.send(await findCid('bo', 'priya'), 'priya', { text: fresh('Still there?') });
    await expect(conversation(page, 'Priya Raman')).toBeVisible();
    await leave(bo);
  });

/** The direct conversation of two people of the demo world. */
const findCid = async (one: string, other: string): Promise<string> => {
  const both = [{ members: { $in: [one] } }, { members: { $in: [other] } }];
  const filter = { $and: [...both, { member_count: 2, type: 'messaging' }] };
  const { channels } = await asServer().channels.query({ filter, limit: 10 });
  return channels.find(({ channel }) => channel.direct_members)?.channel.cid ?? '';
};

test('M2 a conversation whose other person left is still called after them', async ({ browser }) => {
  const cid = await findCid('tomasz', 'priya');
  await asServer().channels.removeMembers(cid, ['tomasz']);
  const priya = await signIn(browser, /Priya Raman/);

  await openConversation(priya.page, 'Tomasz Wrona');

  await expect(priya.page.getByRole('heading', { name: 'Tomasz Wrona' })).toBeVisible();
  await expect(priya.page.getByText('!members-')).toHaveCount(0);
  await leave(priya);
});

test('M2 a person who is pressed while the results of a search come is chosen', async ({ browser }) => {
  const omar = await signIn(browser, /Omar/);
  const { page } = omar;
  await page.getByRole('button', { name: 'New conversation' }).first().click();
  const dialog = page.getByRole('dialog');
  const yuki = dialog.getByRole('button', { name: /^(?!Remove).*Yuki/ });
  await expect(yuki).toBeVisible();
  const gate = Promise.withResolvers<void>();
  await page.route(/\/api\/users\/query/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  const asked = page.waitForRequest(/\/api\/users\/query/);
  await dialog.getByRole('searchbox').fill('Yuki');
  const request = await asked;
  await yuki.hover();
  await page.mouse.down();
  gate.resolve();
  await (await request.response())?.finished();
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
  await page.mouse.up();

  await expect(dialog.getByRole('button', { name: 'Remove Yuki Tanabe' })).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'People' }).getByRole('listitem')).toHaveCount(1);
  await leave(omar);
});

test('M2 a new channel in which nothing is written yet stays on top after a reload, and is in no other list', async ({
  browser,
}) => {
  const omar = await signIn(browser, /Omar/);
  const { page } = omar;
  const title = fresh('Empty room');
  await beginChannel(page, title, ['Yuki']);
  const links = page.getByRole('navigation', { name: 'Conversations' }).locator('a[href^="/c/"]');
  await expect(links.first()).toContainText(title);
  await page.goto(`${new URL(page.url()).pathname}?list=archived`);
  await expect(page.getByRole('heading', { name: 'Archived', exact: true })).toBeVisible();
  await page.goto('/');
  await expect(links.first()).toContainText(title);

  await begin(page, 'Priya');
  await page.getByRole('button', { name: /account and settings/ }).click();
  await page.getByRole('menuitem', { name: 'Hidden conversations' }).click();
  await expect(page.getByText('Nothing hidden')).toBeVisible();
  await leave(omar);
});
