import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, violations } from './axe.ts';
import {
  act,
  asServer,
  composer,
  feed,
  fresh,
  leave,
  message,
  openConversation,
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

const texts = {
  plain: fresh('Something to act upon'),
  asked: fresh('Who is coming?'),
  edited: fresh('We meet at six'),
  pinned: fresh('The door code'),
  pending: fresh('Not for all yet'),
  whispered: fresh('For your eyes'),
};

const fill = async () => {
  const server = asServer();
  const { cid, path } = place;
  await server.messages.send(cid, 'bo', { text: texts.plain });
  const asked = await server.messages.send(cid, 'ana', { text: texts.asked });
  await server.messages.send(cid, 'bo', { text: 'I am, with **two** friends', parent_id: asked.id });
  const edited = await server.messages.send(cid, 'ana', { text: 'We meet at five' });
  await server.messages.patch(edited.id, { text: texts.edited });
  const pinned = await server.messages.send(cid, 'priya', { text: texts.pinned });
  const pin_expires = new Date(Date.now() + 3_600_000).toISOString();
  await server.messages.patch(pinned.id, { pinned: true, pin_expires });
  const body = { pending: true, message: { text: texts.pending, user_id: 'ana' } };
  await server.http.call('POST /channels/{type}/{id}/message', { path, body });
};

test.beforeAll(async ({ browser }) => {
  place = await ownChannel('Screens', ['ana', 'bo', 'priya']);
  await fill();
  ana = await signIn(browser, /Ana Ribeiro/);
  await openConversation(ana.page, place.title);
});
test.afterAll(() => leave(ana));

const dialog = (page: Page) => page.getByRole('dialog');
const choose = async (page: Page, action: string): Promise<void> => {
  await page.getByRole('button', { name: 'Conversation actions' }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
  await expect(dialog(page)).toBeVisible();
};
const visit = async (page: Page, name: RegExp, text: string): Promise<void> => {
  await page.getByRole('link', { name }).click();
  await expect(page.getByRole('main').getByText(text).first()).toBeVisible();
};

/** How each screen comes up in the open conversation. */
const screens: [string, (page: Page) => Promise<void>][] = [
  [
    'M13 the search',
    async (page) => {
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await page.getByRole('combobox', { name: 'Search' }).fill(texts.plain);
      await expect(page.getByRole('option').first()).toBeVisible();
    },
  ],
  [
    'M6 a thread',
    async (page) => {
      await act(page, texts.asked, /Reply in thread/);
      await expect(page.getByRole('complementary', { name: 'Thread' })).toContainText('two');
    },
  ],
  ['M6 the inbox of threads', (page) => visit(page, /^Threads/, texts.asked)],
  [
    'M8 the drafts',
    async (page) => {
      const text = fresh('Half a');
      await composer(page).fill(text);
      await visit(page, /^Drafts/, text);
    },
  ],
  [
    'M14 the members',
    async (page) => {
      await page.getByRole('button', { name: 'Members', exact: true }).click();
      const panel = page.getByRole('complementary', { name: 'Members' });
      await expect(panel.getByRole('listitem').filter({ hasText: 'Bo Lindqvist' })).toBeVisible();
    },
  ],
  ['M14 the settings of a channel', (page) => choose(page, 'Settings')],
  ['M14 for how long to mute', (page) => choose(page, 'Mute')],
  [
    'M4 what is pinned',
    async (page) => {
      await page.getByRole('button', { name: 'Pinned messages' }).click();
      await expect(dialog(page)).toContainText(texts.pinned);
    },
  ],
  [
    'M4 for how long to pin',
    async (page) => {
      await act(page, texts.plain, /Pin for a while/);
      await expect(dialog(page).getByRole('radio', { name: '1 hour' })).toBeVisible();
    },
  ],
  [
    'M12 what a message said before',
    async (page) => {
      await message(page, texts.edited).getByRole('button', { name: 'edited' }).click();
      await expect(dialog(page).locator('ins').first()).toBeVisible();
    },
  ],
  [
    'M4 whether to delete',
    async (page) => {
      await act(page, texts.asked, /^Delete$/);
      await expect(dialog(page)).toBeVisible();
    },
  ],
  [
    'M10 who has read a message',
    async (page) => {
      await act(page, texts.asked, /^Message info$/);
      await expect(page.getByRole('region', { name: 'Read by' })).toBeVisible();
    },
  ],
  [
    'P4 when to be reminded',
    async (page) => {
      await act(page, texts.plain, /Remind me/);
      await expect(dialog(page)).toBeVisible();
    },
  ],
  [
    'P4 the reminders',
    async (page) => {
      await act(page, texts.plain, /Save for later/);
      await visit(page, /^Reminders/, texts.plain);
    },
  ],
  [
    'P4 what is sent later',
    async (page) => {
      const text = fresh('Good morning');
      await composer(page).fill(text);
      await page.getByRole('button', { name: 'Send later' }).click();
      await page.getByRole('menuitem', { name: /In 20 minutes/ }).click();
      await visit(page, /^Scheduled/, text);
    },
  ],
  [
    'M7 the emojis',
    async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'Add emoji' }).click();
      // Without a search the checker would look at all emojis one by one.
      await page.getByRole('dialog', { name: 'Emojis' }).getByRole('searchbox').fill('wave');
      await expect(page.getByRole('button', { name: 'wave', exact: true })).toBeVisible();
    },
  ],
  ...(['/', '@'] as const).map((sign): [string, (page: Page) => Promise<void>] => [
    `M7 the list for ${sign}`,
    async (page) => {
      await composer(page).pressSequentially(sign);
      await expect(page.getByRole('option').first()).toBeVisible();
    },
  ]),
];

for (const [title, open] of screens)
  test(`W2 ${title} is clean for screen readers, in light and dark`, async () => {
    const { page } = ana;
    await open(page);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await go(page, `/c/team/${place.path.id}`);
    await expect(composer(page)).toBeVisible();
    await composer(page).fill('');
  });

test('W2 M4 M14 the menus of a message and of a conversation are clean for screen readers, in light and dark', async () => {
  const { page } = ana;
  // The menus of the library stand outside all landmarks, between places that lead the focus back into them.
  const rules = { within: '[role="menu"]', without: ['region', 'aria-hidden-focus'] };
  const expectClean = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.getByRole('menuitem').first()).toBeVisible();
    expect(await violations(page, rules)).toEqual([]);
  };
  await pointAt(message(page, texts.plain));
  await message(page, texts.plain).getByRole('button', { name: 'More actions' }).click();
  await expectClean('light');
  await expectClean('dark');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Conversation actions' }).click();
  await expectClean('dark');
  await expectClean('light');
  await page.keyboard.press('Escape');
});

test('W2 P1 writing a poll, the poll and its results are clean for screen readers, in light and dark', async () => {
  const { page } = ana;
  const question = fresh('Which day');
  await composer(page).fill(`/poll ${question}`);
  await composer(page).press('Enter');
  for (const [index, day] of ['Monday', 'Tuesday'].entries())
    await dialog(page)
      .getByRole('textbox', { name: `Option ${index + 1}`, exact: true })
      .fill(day);
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Send poll' }).click();
  const poll = feed(page).getByRole('region', { name: `Poll: ${question}` });
  await poll.getByRole('button', { name: /^Monday, / }).click();
  await expect(poll.getByRole('button', { name: 'Monday, 1 vote' })).toBeVisible();
  await expectAccessible(page);
  await poll.getByRole('button', { name: 'View results' }).click();
  await expect(page.getByRole('dialog', { name: 'Results' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
});

test('W2 M4 messages for one alone, held back and refused are clean for screen readers, in light and dark', async () => {
  const { page } = ana;
  const refusal = { code: 17, name: 'NotAllowed', message: 'Not allowed to send-message', status: 403 };
  await page.route('**/api/channels/*/*/message*', (route) => route.fulfill({ status: 403, json: refusal }));
  await say(page, fresh('Nobody gets this'));
  await asServer().messages.send(place.cid, 'ana', { type: 'ephemeral', text: texts.whispered });
  await expect(message(page, texts.whispered)).toBeVisible();
  await expect(feed(page).getByText("Not sent: You can't do that here")).toBeVisible();
  await expect(message(page, texts.pending).getByText('Pending: only you can see it')).toBeVisible();

  await expectAccessible(page);
});
