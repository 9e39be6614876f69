import type { Locator, Page } from '@playwright/test';
import { middleOf, putFinger } from './finger.ts';
import { asServer, composer, feed, message, pointAt } from './people.ts';
import { go } from './story.ts';

export type Step = {
  name: string;
  act: () => Promise<unknown>;
  /** Puts the page back for the next step; this is not measured. */
  close?: () => Promise<unknown>;
};

/** The page, the id of the channel, and the texts of its last two messages: one with twenty replies, and the very last. */
export type Walk = { page: Page; id: string; asked: string; last: string };

const long = ({ id }: Walk): string => `/c/team/${id}`;

/** Waits by a selector: to look for roles and names among hundreds of elements would be most of the frame that is measured. */
const drawn = (page: Page, selector: string): Promise<void> => page.locator(selector).first().waitFor();

/** Scrolls, four screenfuls each frame, until a message is drawn. */
const scroll = (page: Page, pixels: number, goal: string): Promise<void> =>
  page.evaluate(
    async ([by, text]) => {
      const list = document.querySelector<HTMLElement>('[role=feed]');
      const rows = () => [...(list?.querySelectorAll('article') ?? [])];
      const isThere = () => rows().some((row) => row.textContent?.includes(text));
      while (list && !isThere()) {
        list.scrollTop += by;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    },
    [pixels, goal] as const,
  );

const seen = (page: Page, key: string): Promise<void> => feed(page).locator(`[data-key="${key}"]`).waitFor();

const sendBurst = ({ id }: Walk, count: number): Promise<unknown> =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      asServer().messages.send(`team:${id}`, 'bo', { text: `Burst ${index}` }),
    ),
  );

const lastRow = ({ page, last }: Walk): Locator => message(page, last);
const onRow = (walk: Walk, name: string): Promise<void> =>
  lastRow(walk).getByRole('button', { name, exact: true }).click();

/** The steps that a desktop and a phone share. */
const common = (walk: Walk, { page } = walk): Step[] => [
  {
    name: 'open the conversation',
    act: async () => {
      await go(page, long(walk));
      await lastRow(walk).waitFor();
    },
  },
  { name: 'scroll to the top', act: () => scroll(page, -3000, 'Part 1 and so on') },
  { name: 'scroll back to the end', act: () => scroll(page, 3000, walk.last) },
  {
    name: 'jump to a message',
    act: async () => {
      await go(page, `${long(walk)}?m=${walk.id}-2500`);
      await seen(page, `${walk.id}-2500`);
    },
  },
  {
    name: 'jump to the latest',
    act: async () => {
      await page.getByRole('button', { name: 'Jump to latest' }).click();
      await lastRow(walk).waitFor();
    },
  },
];

const writing = (walk: Walk, { page } = walk): Step[] => [
  {
    name: 'type in the composer',
    act: () => composer(page).pressSequentially('What a long conversation this is', { delay: 20 }),
    close: () => composer(page).fill(''),
  },
  {
    name: 'switch the conversation',
    act: async () => {
      await go(page, '/c/team/general');
      await page.getByRole('main').getByRole('heading', { name: 'general', level: 1 }).waitFor();
    },
  },
  {
    name: 'and back',
    act: async () => {
      await go(page, long(walk));
      await page.getByRole('main').getByRole('heading', { name: 'Long story', level: 1 }).waitFor();
      await feed(page).getByRole('article').first().waitFor();
    },
  },
  { name: 'receive 50 messages', act: () => sendBurst(walk, 50) },
];

const openLightbox = (page: Page): Step => ({
  name: 'open the lightbox',
  act: async () => {
    await message(page, 'Harbour')
      .getByRole('button', { name: /^Photo/ })
      .first()
      .click();
    await page.getByRole('dialog', { name: 'Photos' }).waitFor();
  },
  close: () => page.keyboard.press('Escape'),
});

export const desktopSteps = (walk: Walk, { page } = walk): Step[] => [
  openLightbox(page),
  ...common(walk),
  { name: 'point at a message', act: () => pointAt(lastRow(walk)) },
  {
    name: 'open the first menu',
    act: async () => {
      await onRow(walk, 'More actions');
      await drawn(page, '[role="menuitem"]');
    },
    close: () => page.keyboard.press('Escape'),
  },
  {
    name: 'open the reaction picker',
    act: async () => {
      await onRow(walk, 'Add reaction');
      await drawn(page, '[role="dialog"]');
    },
  },
  {
    name: 'open all emojis',
    act: async () => {
      await page.locator('[aria-label="More emojis"]').click();
      await drawn(page, '[data-group="flags"] button');
    },
    close: () => page.keyboard.press('Escape'),
  },
  {
    name: 'reply',
    act: () => pointAt(lastRow(walk)).then(() => onRow(walk, 'Reply')),
    close: () => page.keyboard.press('Escape'),
  },
  {
    name: 'edit',
    act: async () => {
      await pointAt(lastRow(walk));
      await onRow(walk, 'More actions');
      await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    },
    close: () => page.keyboard.press('Escape'),
  },
  {
    name: 'open a thread',
    act: async () => {
      await message(page, walk.asked)
        .getByRole('button', { name: /20 replies/ })
        .click();
      await page.getByRole('feed', { name: 'Thread' }).getByText('Reply 20').waitFor();
    },
    close: () => page.getByRole('complementary').getByRole('button', { name: 'Close' }).click(),
  },
  {
    name: 'open the search',
    act: async () => {
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await page.getByRole('combobox', { name: 'Search' }).waitFor();
    },
  },
  {
    name: 'search',
    act: async () => {
      await page.getByRole('combobox', { name: 'Search' }).pressSequentially('coming', { delay: 30 });
      await page.getByRole('option').first().waitFor();
    },
    close: () => page.getByRole('button', { name: 'Close search' }).click(),
  },
  {
    name: 'open the switcher',
    act: async () => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Go to…' }).waitFor();
    },
  },
  {
    name: 'type in the switcher',
    act: () => page.keyboard.type('gen', { delay: 30 }),
    close: () => page.keyboard.press('Escape'),
  },
  ...writing(walk),
];

export const phoneSteps = (walk: Walk, { page } = walk): Step[] => [
  openLightbox(page),
  ...common(walk),
  {
    name: 'hold a message',
    act: async () => {
      const finger = await putFinger(page);
      await finger.down(await middleOf(lastRow(walk).getByText(walk.last)));
      await page.getByRole('dialog', { name: 'Message actions' }).waitFor();
      await finger.up();
    },
    close: async () => {
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    },
  },
  {
    name: 'swipe to reply',
    act: async () => {
      const finger = await putFinger(page);
      const { x, y } = await middleOf(lastRow(walk).getByText(walk.last));
      await finger.down({ x, y });
      await finger.move({ x, y }, { x: x - 120, y });
      await finger.up();
      await page.getByText(/^Replying to/).waitFor();
    },
    close: () => page.getByRole('main').getByRole('button', { name: 'Cancel', exact: true }).tap(),
  },
  {
    name: 'open a thread',
    act: async () => {
      await message(page, walk.asked)
        .getByRole('button', { name: /20 replies/ })
        .tap();
      await page.getByRole('feed', { name: 'Thread' }).getByText('Reply 20').waitFor();
    },
    close: () => page.goBack(),
  },
  {
    name: 'go back to the list',
    act: async () => {
      await page.getByRole('button', { name: 'Back' }).first().tap();
      await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
    },
    close: () => go(page, long(walk)),
  },
  ...writing(walk),
];
