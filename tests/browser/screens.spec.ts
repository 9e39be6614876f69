import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { type Files, filesIn, film, imageOf, png } from './files.ts';
import {
  act,
  asServer,
  composer,
  feed,
  fresh,
  leave,
  message,
  type Person,
  pointAt,
  signIn,
} from './people.ts';
import { go } from './story.ts';

let ana: Person;
let files: Files;
const id = `screens-${Date.now().toString(36)}`;
const longWord = 'Donaudampfschifffahrtsgesellschaftskapitaen'.repeat(4);
const texts = { long: fresh(longWord), asked: fresh('Who is coming?'), shown: fresh('Holiday') };
let threadId = '';

const fill = async (page: Page) => {
  const server = asServer();
  files = await filesIn(id, `${longWord} team`);
  await server.messages.send(files.cid, 'bo', { text: texts.long });
  await server.messages.send(files.cid, 'bo', { text: `\`\`\`ts\nconst ${longWord} = 1;\n\`\`\`` });
  ({ id: threadId } = await server.messages.send(files.cid, 'ana', { text: texts.asked }));
  await server.messages.send(files.cid, 'bo', { text: longWord, parent_id: threadId });
  const photo = imageOf(await files.give('photo.png', png(800, 600)));
  const video = await files.give('film.webm', await film(page));
  const file = await files.give(`${longWord}.pdf`, Buffer.from('%PDF-1.4\n'));
  await files.send(texts.shown, [photo]);
  await files.send('', [
    photo,
    { type: 'video', asset_url: video.file, title: video.name },
    { type: 'file', asset_url: file.file, title: file.name },
  ]);
  const spot = { latitude: 52.52, longitude: 13.405, created_by_device_id: 'phone' };
  // Without a name they would be called Bo Lindqvist, as the conversation that other journeys look for.
  const both = { members: ['ana', 'bo'], created_by_id: 'ana' };
  await server.channels.create('team', `${id}-quiet`, { ...both, name: fresh('Quiet') });
  await server.channels.create('team', `${id}-map`, { ...both, name: fresh('Map') });
  await server.messages.send(`team:${id}-map`, 'bo', { text: '', shared_location: spot });
  const guests = `${id}-guests`;
  await server.channels.create('team', guests, { name: longWord, members: ['bo'], created_by_id: 'bo' });
  await server.channels.update(`team:${guests}`, { invites: ['ana'] });
};

test.beforeAll(async ({ browser }) => {
  ana = await signIn(browser, /Ana Ribeiro/, { viewport: { width: 320, height: 640 } });
  await fill(ana.page);
});
test.afterAll(() => leave(ana));

const dialog = (page: Page) => page.getByRole('dialog');
const home = `/c/team/${id}`;
const choose = async (page: Page, button: string | RegExp, entry: string): Promise<void> => {
  await page.getByRole('button', { name: button }).first().click();
  const inSheet = page.getByRole('dialog').getByRole('button', { name: entry, exact: true });
  await page.getByRole('menuitem', { name: entry, exact: true }).or(inSheet).click();
};

type Screen = {
  title: string;
  /** Its address, where it has one; otherwise it comes up in the conversation. */
  at?: string;
  open?: (page: Page) => Promise<void>;
  shows: (page: Page) => ReturnType<Page['locator']>;
};

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name }).first();
const dialogNamed = (name: string | RegExp) => (page: Page) => page.getByRole('dialog', { name });

const screens: Screen[] = [
  {
    title: 'M3 the list with invitations',
    at: '/',
    shows: (page) => page.getByRole('region', { name: 'Invitations' }),
  },
  { title: 'M2 a conversation', shows: (page) => message(page, texts.long) },
  {
    title: 'M6 a thread',
    at: `${home}?thread=THREAD`,
    shows: (page) => page.getByRole('feed', { name: 'Thread' }).getByText(longWord),
  },
  {
    title: 'M14 the members',
    at: `${home}?panel=members`,
    shows: (page) => page.getByRole('main', { name: 'Members' }).getByRole('listitem').first(),
  },
  { title: 'A3 media and files', at: `${home}?panel=media`, shows: (page) => page.getByRole('tab').first() },
  {
    title: 'M13 the search',
    at: `/?q=${longWord.slice(0, 20)}`,
    shows: (page) => page.getByRole('option').first(),
  },
  { title: 'M3 the archived conversations', at: '/?list=archived', shows: heading('Archived') },
  { title: 'M3 the hidden conversations', at: '/?list=hidden', shows: heading('Hidden') },
  {
    title: 'M6 the inbox of threads',
    at: '/threads',
    shows: (page) => page.getByRole('main').getByText(texts.asked).first(),
  },
  { title: 'M8 the drafts', at: '/drafts', shows: heading('Drafts') },
  { title: 'P4 the reminders', at: '/reminders', shows: heading('Reminders') },
  { title: 'P4 what is sent later', at: '/scheduled', shows: heading('Scheduled') },
  { title: 'M14 deleting conversations', at: '/delete', shows: heading('Delete conversations') },
  {
    title: 'a conversation that is not there',
    at: '/c/team/never-was',
    shows: heading('Conversation not found'),
  },
  { title: 'a page that is not there', at: '/nowhere', shows: heading('Page not found') },
  {
    title: 'M3 a new conversation',
    at: '/',
    open: (page) => page.getByRole('button', { name: 'New conversation' }).first().click(),
    shows: dialogNamed('New conversation'),
  },
  {
    title: 'the quick switcher',
    open: (page) => page.keyboard.press('Control+k'),
    shows: dialogNamed('Go to…'),
  },
  {
    title: 'the shortcuts',
    open: (page) => page.keyboard.press('Control+/'),
    shows: dialogNamed('Keyboard shortcuts'),
  },
  {
    title: 'M10 the unread summary',
    at: '/',
    open: (page) => choose(page, /account and settings/, 'Unread summary'),
    shows: dialog,
  },
  {
    title: 'M14 the settings of a channel',
    open: (page) => choose(page, 'Conversation actions', 'Settings'),
    shows: dialog,
  },
  {
    title: 'P1 writing a poll',
    open: async (page) => {
      await composer(page).fill('/poll Who?');
      await composer(page).press('Enter');
    },
    shows: dialog,
  },
  {
    title: 'P5 sharing a location',
    open: (page) => choose(page, /^Add$/, 'Share location'),
    shows: dialogNamed('Share location'),
  },
  {
    title: 'M10 message info',
    open: (page) => act(page, texts.asked, /^Message info$/),
    shows: dialogNamed('Message info'),
  },
  {
    title: 'M3 a new channel',
    at: '/',
    open: async (page) => {
      await page.getByRole('button', { name: 'New conversation' }).first().click();
      await dialog(page).getByRole('tab', { name: 'Channel' }).click();
    },
    shows: (page) => dialog(page).getByRole('textbox', { name: 'Channel name' }),
  },
  {
    title: 'M3 a conversation without messages',
    at: `${home}-quiet`,
    shows: (page) => composer(page),
  },
  {
    title: 'M5 the reactions to choose from',
    open: async (page) => {
      await pointAt(message(page, texts.asked));
      await message(page, texts.asked).getByRole('button', { name: 'Add reaction' }).click();
    },
    shows: dialogNamed('Add reaction'),
  },
  {
    title: 'P5 a map in full',
    at: `${home}-map`,
    open: (page) => page.getByRole('button', { name: /^Open the map/ }).click(),
    shows: (page) => dialog(page).getByRole('link', { name: 'Open in Maps' }),
  },
  {
    title: 'M14 whether to leave',
    open: (page) => choose(page, 'Conversation actions', 'Leave'),
    shows: dialogNamed('Leave this conversation?'),
  },
  {
    title: 'M4 a message that is edited',
    open: (page) => act(page, texts.asked, /^Edit$/),
    shows: (page) => page.getByRole('main').getByText('Editing'),
  },
  {
    title: 'A1 a photo in full',
    open: (page) =>
      message(page, texts.shown)
        .getByRole('button', { name: /^Photo/ })
        .click(),
    shows: dialogNamed('Photos'),
  },
];

/** The parts of the page that are wider than their box: something in them is cut off or scrolls sideways. */
const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [
      document.documentElement,
      ...document.querySelectorAll('main, nav, [role="dialog"], [role="feed"]'),
      // The body of a dialog scrolls down: a field that is too wide would be cut off at its side.
      ...document.querySelectorAll('[role="dialog"] > *'),
    ]
      .filter((part) => part.clientWidth > 1 && part.scrollWidth > part.clientWidth)
      .map((part) => `${part.tagName} ${part.getAttribute('aria-label') ?? ''}: ${part.scrollWidth} px`),
  );

for (const { title, at = home, open, shows } of screens)
  test(`W2 ${title} fits into 320 and 390 px and is clean for screen readers, in light and dark`, async () => {
    const { page } = ana;
    await page.setViewportSize({ width: 320, height: 640 });
    await go(page, at.replace('THREAD', threadId));
    if (at === home) await expect(composer(page)).toBeVisible();
    await open?.(page);
    await expect(shows(page)).toBeVisible();

    expect(await tooWide(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await tooWide(page)).toEqual([]);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
  });

test('A1 a photo, a video and a file without words stand on one bubble; a photo alone needs none', async () => {
  const { page } = ana;
  await go(page, home);
  const bubbleOf = (name: RegExp) =>
    feed(page)
      .getByRole('article')
      .filter({ has: page.getByRole('button', { name }) })
      .last()
      .locator('[data-visual]')
      .locator('xpath=..');
  const none = 'rgba(0, 0, 0, 0)';

  await expect(bubbleOf(/pdf/)).not.toHaveCSS('background-color', none);

  await files.sendImages('', [640, 480]);
  await expect(bubbleOf(/^Photo: screens/)).toHaveCSS('background-color', none);
});

test('M14 the name of an invitation has two lines, and its buttons name the conversation', async () => {
  const { page } = ana;
  await page.setViewportSize({ width: 320, height: 640 });
  await go(page, '/');
  const invites = page.getByRole('region', { name: 'Invitations' });
  const name = invites.getByText(longWord, { exact: true }).first();
  const [height, line] = await name.evaluate((element) => [
    element.getBoundingClientRect().height,
    Number.parseFloat(getComputedStyle(element).lineHeight),
  ]);

  expect(Math.round((height ?? 0) / (line ?? 1))).toBe(2);
  for (const act of ['Accept', 'Decline'])
    await expect(
      invites.getByRole('button', { name: `${act} the invitation to ${longWord}` }).first(),
    ).toBeInViewport();
});

test('W2 at 768 px a bubble stays inside the conversation, and the toolbar beside it too', async () => {
  const { page } = ana;
  await page.setViewportSize({ width: 768, height: 1024 });
  await go(page, home);
  const row = message(page, texts.long);
  await row.hover();
  const inside = await feed(page).boundingBox();
  for (const part of [row.locator('[dir="auto"]').last(), row.getByRole('toolbar')]) {
    const box = await part.boundingBox();
    expect(box?.x ?? 0).toBeGreaterThanOrEqual(inside?.x ?? 0);
    expect((box?.x ?? 0) + (box?.width ?? 1e9)).toBeLessThanOrEqual((inside?.x ?? 0) + (inside?.width ?? 0));
  }
  expect(await tooWide(page)).toEqual([]);

  // The fourth place is there while one is in it, and stands in the row of the others.
  await go(page, '/scheduled');
  const places = page.locator('a').filter({ hasText: /^(Threads|Drafts|Reminders|Scheduled)/ });
  await expect(places).toHaveCount(4);
  const tops = await places.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
});

test('M4 a message that comes back under the pointer has its toolbar, though another conversation was there', async () => {
  const { page } = ana;
  await page.setViewportSize({ width: 1280, height: 800 });
  await go(page, `${home}?m=${threadId}`);
  const row = message(page, texts.asked);
  await pointAt(row);
  await go(page, `${home}-quiet`);
  await expect(row).toHaveCount(0);
  await go(page, `${home}?m=${threadId}`);
  await row.hover();

  await expect(row.getByRole('toolbar')).toBeVisible();

  // The menu goes from under the pointer, which is over another row then.
  await row.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Copy text' }).click();
  await message(page, texts.long).hover();
  await expect(message(page, texts.long).getByRole('toolbar')).toBeVisible();
  await expect(feed(page).getByRole('toolbar')).toHaveCount(1);
});

test('M3 a preview that is written from right to left stands beside its author', async () => {
  const { page } = ana;
  // The screen of polls leaves a draft, which would stand in the line instead of the message.
  await go(page, home);
  await composer(page).fill('');
  const text = fresh('שלום לכולם');
  await asServer().messages.send(files.cid, 'bo', { text });
  await go(page, '/');
  const entry = page.getByRole('link').filter({ hasText: text });

  const author = await entry.getByText('Bo Lindqvist:').boundingBox();
  const words = await entry.getByText(text).boundingBox();

  const gap = (words?.x ?? 0) - (author?.x ?? 0) - (author?.width ?? 0);
  expect(gap).toBeGreaterThanOrEqual(0);
  expect(gap).toBeLessThan(10);
});

test('W2 at 320 px the sign of a banner stands beside its words', async () => {
  const { page, context } = ana;
  await page.setViewportSize({ width: 320, height: 640 });
  await context.setOffline(true);
  const banner = page.getByText(/You're offline/);
  await expect(banner).toBeVisible();

  const words = await banner.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect().toJSON();
  });
  const sign = await banner.locator('svg').boundingBox();

  expect((sign?.x ?? 1e9) + (sign?.width ?? 0)).toBeLessThanOrEqual(320);
  expect(sign?.y ?? 0).toBeGreaterThan(words.top);
  await context.setOffline(false);
});
