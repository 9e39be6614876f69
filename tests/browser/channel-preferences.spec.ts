import { expect, type Page, test } from '@playwright/test';
import {
  anaAndBo,
  asServer,
  beginChannel,
  composer,
  conversation,
  fresh,
  leave,
  message,
  openConversation,
  type Person,
  say,
  signIn,
} from './people.ts';

let ana: Person;
let bo: Person;
const name = fresh('Boat trip');

const choose = async (page: Page, action: string): Promise<void> => {
  await page.getByRole('button', { name: 'Conversation actions' }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
};

/** Ana begins a conversation with Bo. */
test.beforeAll(async ({ browser }) => {
  ({ ana, bo } = await anaAndBo(browser));
  await beginChannel(ana.page, name, ['Bo Lindqvist']);
  await say(ana.page, 'Who brings the map?');
  await openConversation(bo.page, name);
});

test.afterAll(() => leave(ana, bo));

test('M14 mute and unmute: the list shows it', async () => {
  await choose(bo.page, 'Mute');
  await bo.page.getByRole('dialog').getByRole('button', { name: 'Until I unmute it' }).click();
  await expect(conversation(bo.page, name).getByRole('img', { name: 'Muted' })).toBeVisible();
  await choose(bo.page, 'Unmute');

  await expect(conversation(bo.page, name).getByRole('img', { name: 'Muted' })).toHaveCount(0);
});

test('M14 a timed mute says when it ends, on every device, and ends by itself', async ({ browser }) => {
  const there = await signIn(browser, /Bo Lindqvist/);
  await there.page.clock.install();
  const mutedFor = ({ page }: Person) => conversation(page, name).getByRole('img', { name: 'Muted' });
  await choose(bo.page, 'Mute');
  await bo.page.getByRole('dialog').getByRole('button', { name: 'For 1 hour' }).click();
  await expect(mutedFor(bo)).toBeVisible();
  await expect(mutedFor(there)).toBeVisible();
  await bo.page.getByRole('button', { name: 'Conversation actions' }).click();
  const unmute = bo.page.getByRole('menuitem', { name: /^Unmute \(muted until .*\d\d:\d\d/ });
  await expect(unmute).toBeVisible();

  await there.page.clock.fastForward('01:00:01');
  await expect(mutedFor(there)).toHaveCount(0);
  await expect(mutedFor(bo)).toBeVisible();
  await unmute.click();

  await expect(mutedFor(bo)).toHaveCount(0);
  await there.context.close();
});

test('M14 a pinned channel stands in its own section on top', async () => {
  await choose(bo.page, 'Pin to the top');
  const list = bo.page.getByRole('navigation', { name: 'Conversations' });
  await expect(list.getByRole('heading', { name: 'Pinned' })).toBeVisible();
  await expect(conversation(bo.page, name)).toBeVisible();
  await choose(bo.page, 'Unpin');

  await expect(list.getByRole('heading', { name: 'Pinned' })).toHaveCount(0);
});

test('M14 an archived channel is behind the filter', async () => {
  const { page } = bo;
  await choose(page, 'Archive');
  await expect(conversation(page, name)).toHaveCount(0);
  await expect(page.getByText('Conversation archived').first()).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(conversation(page, name)).toBeVisible();

  await choose(page, 'Archive');
  await expect(conversation(page, name)).toHaveCount(0);
  await page.getByRole('button', { name: /account and settings/ }).click();
  await page.getByRole('menuitem', { name: 'Archived conversations' }).click();
  await expect(conversation(page, name)).toBeVisible();
  await choose(page, 'Unarchive');
  await page.getByRole('button', { name: 'Back to conversations' }).click();

  await expect(conversation(page, name)).toBeVisible();
});

test('M10 an unread message in the archive is named in the list, found there and cleared by reading', async () => {
  const { page } = bo;
  await choose(page, 'Archive');
  await page.goto('/');
  await expect(conversation(page, 'general')).toBeVisible();
  const way = page.getByRole('button', { name: /^Archived conversations/ });
  await expect(way).toHaveCount(0);
  await say(ana.page, fresh('Is anybody here?'));

  await expect(way).toHaveText(/1$/);
  await expect(page).toHaveTitle(/^\(\d+/);
  await way.click();
  await expect(conversation(page, name).getByRole('img', { name: /1 unread/ })).toBeVisible();
  await page.bringToFront();
  await openConversation(page, name);
  await expect(conversation(page, name).getByRole('img', { name: /unread/ })).toHaveCount(0);
  await choose(page, 'Unarchive');
  await page.getByRole('button', { name: 'Back to conversations' }).click();
  await expect(way).toHaveCount(0);
});

test('M14 a hidden channel comes back with the next message', async () => {
  await choose(bo.page, 'Hide');
  await expect(conversation(bo.page, name)).toHaveCount(0);
  await bo.page.getByRole('button', { name: 'Undo' }).click();
  await openConversation(bo.page, name);
  await choose(bo.page, 'Hide');
  await expect(conversation(bo.page, name)).toHaveCount(0);

  await say(ana.page, fresh('Still there?'));

  await expect(conversation(bo.page, name)).toBeVisible();
  await openConversation(bo.page, name);
});

test('M14 hidden channels are on a shelf of their own, from which they come back', async () => {
  const { page } = bo;
  await choose(page, 'Hide');
  await expect(conversation(page, name)).toHaveCount(0);
  await page.getByRole('button', { name: /account and settings/ }).click();
  await page.getByRole('menuitem', { name: 'Hidden conversations' }).click();
  await openConversation(page, name);
  await choose(page, 'Unhide');
  await expect(conversation(page, name)).toHaveCount(0);
  await page.getByRole('button', { name: 'Back to conversations' }).click();

  await openConversation(page, name);
});

test('M14 a cleared history is gone for oneself, in the list and in the search, and not for the other', async () => {
  const { page } = bo;
  const old = fresh('Old news');
  await say(ana.page, old);
  await expect(message(page, old)).toBeVisible();
  await choose(page, 'Clear my history');
  await page.getByRole('dialog').getByRole('button', { name: 'Clear my history' }).click();
  await expect(conversation(page, name)).toHaveCount(0);
  const news = fresh('New news');
  await say(ana.page, news);
  await openConversation(page, name);

  await expect(message(page, news)).toBeVisible();
  await expect(message(page, old)).toHaveCount(0);
  await expect(message(ana.page, old)).toBeVisible();
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('combobox', { name: 'Search' }).fill('news');
  const found = page.getByRole('option');
  await expect(found.filter({ hasText: news })).toBeVisible();
  await expect(found.filter({ hasText: old })).toHaveCount(0);
  await page.keyboard.press('Escape');
});

test('M14 mark unread shows the count again', async () => {
  await choose(bo.page, 'Mark as unread');

  await expect(conversation(bo.page, name).getByLabel(/1 unread/)).toBeVisible();
  await openConversation(bo.page, name);
});

test('M14 settings: a freeze stops the other, and slow mode slows them', async () => {
  const { page } = ana;
  await choose(page, 'Settings');
  await page
    .getByRole('dialog')
    .getByRole('checkbox', { name: /Frozen/ })
    .check();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(bo.page.getByRole('textbox', { name: /This conversation is frozen/ })).toBeDisabled();
  await expect(bo.page.getByRole('button', { name: 'Send' })).toHaveCount(0);

  await choose(page, 'Settings');
  await page
    .getByRole('dialog')
    .getByRole('checkbox', { name: /Frozen/ })
    .uncheck();
  const slowMode = page.getByRole('dialog').getByRole('combobox', { name: 'Slow mode' });
  // The arrow is one picture, which from right to left stands at the left edge.
  const arrowIn = (dir: string) =>
    slowMode.evaluate((field, given) => {
      const { documentElement: root } = document;
      const { dir: before } = root;
      root.dir = given;
      const place = getComputedStyle(field).backgroundPosition.split(',')[0];
      root.dir = before;
      return place;
    }, dir);
  expect([await arrowIn('rtl'), await arrowIn('ltr')]).toEqual(['14px 50%', 'calc(100% - 14px) 50%']);
  await slowMode.selectOption('30');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(composer(bo.page)).toBeEnabled();
  await say(bo.page, fresh('I bring it'));
  await expect(bo.page.getByRole('button', { name: /Slow mode: wait \d+ seconds?/ })).toBeDisabled();
});

test('M14 a member who may not change a channel is not offered to', async () => {
  await bo.page.getByRole('button', { name: 'Conversation actions' }).click();

  await expect(bo.page.getByRole('menuitem', { name: 'Leave' })).toBeVisible();
  await expect(bo.page.getByRole('menuitem', { name: 'Settings' })).toHaveCount(0);
  await bo.page.keyboard.press('Escape');
});

test('M14 people are invited, and accept or decline', async ({ browser }) => {
  const priya = await signIn(browser, /Priya Raman/);
  const { page } = ana;
  const panel = page.getByRole('complementary', { name: 'Members' });
  await page.getByRole('button', { name: 'Members', exact: true }).click();
  const invite = async () => {
    await panel.getByRole('button', { name: 'Add people' }).click();
    await panel.getByRole('searchbox').fill('Priya');
    await panel.getByRole('button', { name: /Priya Raman/ }).click();
    await panel.getByRole('button', { name: 'Invite', exact: true }).click();
    await expect(panel.getByText('Invited')).toBeVisible();
  };
  const invites = priya.page.getByRole('region', { name: 'Invitations' });

  await invite();
  await expect(panel).toContainText('2 members');
  await expect(invites).toContainText('Invited by Ana Ribeiro');
  await invites.getByRole('button', { name: 'Decline' }).click();
  await expect(invites).toHaveCount(0);
  await expect(panel.getByText('Priya Raman')).toHaveCount(0);
  await invite();
  await invites.getByRole('button', { name: 'Accept' }).click();

  await expect(conversation(priya.page, name)).toBeVisible();
  await expect(message(priya.page, 'Who brings the map?')).toBeVisible();
  await panel.getByRole('button', { name: 'Close' }).click();
  await priya.context.close();
});

test('M14 truncate empties it for both, leave and delete take it from the lists', async () => {
  const { page } = ana;
  await choose(page, 'Settings');
  await page.getByRole('button', { name: 'Delete all messages' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete all messages' }).click();
  await expect(bo.page.getByText('Nothing here yet')).toBeVisible();

  await choose(bo.page, 'Leave');
  await bo.page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await expect(conversation(bo.page, name)).toHaveCount(0);
  await choose(page, 'Settings');
  await page.getByRole('button', { name: 'Delete conversation' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete conversation' }).click();

  await expect(conversation(page, name)).toHaveCount(0);
});

test('M14 a next page of conversations that is refused is asked for once, and again when one wants it', async ({
  browser,
}) => {
  const there = await signIn(browser, /Ana Ribeiro/);
  let [asked, isRefused] = [0, true];
  await there.page.route(/\/api\/channels(\?|$)/, (route) => {
    const { next, ...body } = route.request().postDataJSON();
    if (next === undefined) return route.continue({ postData: { ...body, limit: 5 } });
    asked += 1;
    if (!isRefused) return route.continue();
    const error = {
      name: 'NotAllowed',
      code: 17,
      status: 403,
      message: 'no',
      retryable: false,
      request_id: 'r',
    };
    return route.fulfill({ status: 403, headers: { 'x-request-id': 'r' }, json: error });
  });
  await there.page.reload();
  const list = there.page.getByRole('navigation', { name: 'Conversations' });
  const again = list.getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  // New rows and marks draw the list again, which is no reason to ask.
  const news = fresh('News');
  await asServer().messages.send('team:general', 'bo', { text: news });
  await expect(conversation(there.page, 'general')).toContainText(news);
  expect(asked).toBe(1);

  isRefused = false;
  await again.click();
  await expect(again).toHaveCount(0);
  await expect.poll(() => list.getByRole('link').count()).toBeGreaterThan(10);
  await there.context.close();
});
