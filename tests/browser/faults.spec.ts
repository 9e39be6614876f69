import { expect, type Page, test } from '@playwright/test';
import { composer, fresh, leave, openConversation, type Person, say, signIn } from './people.ts';
import { go } from './story.ts';

let ana: Person;
test.beforeEach(async ({ browser }) => {
  ana = await signIn(browser, /Ana Ribeiro/);
});
test.afterEach(() => leave(ana));

/** The title is the word for a fault, and no word of the error is shown. */
const expectPlain = async (page: Page, title: string) => {
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await expect(page.getByText(/Reload the page to go on/)).toBeVisible();
  await expect(page.getByText(/not valid as a React child|is broken/)).toHaveCount(0);
};

test('W2 a fault in drawing one part of the screen leaves the others', async () => {
  const { page } = ana;
  await openConversation(page, 'general');
  // A name that is no text, in the list alone.
  await page.route(/\/api\/channels(\?|$)/, async (route) => {
    const reply = await route.fetch();
    const body = await reply.json();
    for (const { channel } of body.channels) if (channel.id !== 'general') channel.name = { is: 'broken' };
    await route.fulfill({ response: reply, json: body });
  });
  // Nothing is kept of the last visit: its names are good.
  await page.addInitScript(() => {
    for (const key of Object.keys(localStorage))
      if (/^parley (screen|page) /.test(key)) localStorage.removeItem(key);
  });
  await page.reload();

  await expectPlain(page, "This part can't be shown.");
  await say(page, fresh('Still here'));
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByText("This part can't be shown.")).toHaveCount(0);
  await expect(composer(page)).toBeVisible();
});

test('W2 a fault in drawing the whole screen is shown in plain words, with a way on', async () => {
  const { page } = ana;
  await page.evaluate(() => {
    window.matchMedia = () => {
      throw new Error('This is broken');
    };
  });
  await go(page, '/c/team/general');

  await expectPlain(page, 'Something went wrong');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(composer(page)).toBeVisible();
});
