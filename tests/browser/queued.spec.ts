import { expect, type Page, test } from '@playwright/test';
import { callAs } from './files.ts';
import {
  act,
  anaAndBoTalking,
  asServer,
  composer,
  feed,
  fresh,
  leave,
  message,
  openConversation,
  ownChannel,
  type Person,
  say,
} from './people.ts';
import { holdUploads, inTray, listenToUploads, pick, textFile } from './uploads-support.ts';

let ana: Person;
let bo: Person;

test.beforeAll(async ({ browser }) => {
  ({ ana, bo } = await anaAndBoTalking(browser));
});
test.afterAll(() => leave(ana, bo));

/** Sends a message while its file still uploads. */
const sendEarly = async (page: Page, words: string, name: string) => {
  await pick(page, [textFile(name)]);
  await composer(page).fill(words);
  await composer(page).press('Enter');
  await expect(composer(page)).toHaveValue('');
  await expect(message(page, words).getByRole('progressbar', { name: `Uploading ${name}` })).toBeVisible();
};

test('A2 a message that is sent while its file uploads waits in the list, and goes first when the file is there', async () => {
  const [first, second] = [fresh('With a file'), fresh('After it')];
  const letGo = await holdUploads(ana.page);
  await sendEarly(ana.page, first, 'slow.txt');
  await say(ana.page, second);
  await expect(message(ana.page, second)).toContainText('Sending');
  await letGo();

  await expect(message(bo.page, second)).toBeVisible();
  await expect(message(bo.page, first)).toContainText('slow.txt');
  const texts = await feed(bo.page).getByRole('article').allInnerTexts();
  const placeOf = (words: string) => texts.findIndex((text) => text.includes(words));
  expect(placeOf(first)).toBeLessThan(placeOf(second));
  await expect(message(ana.page, first).getByRole('progressbar')).toBeHidden();
});

test('A2 a message that waits for its file is edited, and another is cancelled with its file', async () => {
  const [kept, changed, gone] = [fresh('Fisrt'), fresh('First'), fresh('Never mind')];
  const letGo = await holdUploads(ana.page);
  await sendEarly(ana.page, kept, 'kept.txt');
  await sendEarly(ana.page, gone, 'gone.txt');
  await act(ana.page, kept, /^Edit$/);
  await expect(composer(ana.page)).toHaveValue(kept);
  await composer(ana.page).fill(changed);
  await composer(ana.page).press('Enter');
  await expect(message(ana.page, changed)).toBeVisible();
  await act(ana.page, gone, /^Delete$/);
  await expect(message(ana.page, gone)).toBeHidden();
  await letGo();

  await expect(message(bo.page, changed)).toContainText('kept.txt');
  await expect(message(bo.page, changed)).not.toContainText('edited');
  await say(ana.page, fresh('Afterwards'));
  await expect(message(bo.page, gone)).toBeHidden();
});

test('A2 after a reload a message without its file says so, and goes when the file is chosen again', async () => {
  const words = fresh('Cut off');
  const letGo = await holdUploads(ana.page);
  await sendEarly(ana.page, words, 'lost.txt');
  ana.page.once('dialog', (dialog) => dialog.accept());
  await ana.page.reload();
  await letGo();

  const row = message(ana.page, words);
  await expect(row).toContainText('Not sent');
  await expect(row).toContainText('Choose the file again');
  await expect(composer(ana.page)).toHaveValue('');
  const chooser = ana.page.waitForEvent('filechooser');
  await row.getByRole('button', { name: 'Choose lost.txt again' }).click();
  await (await chooser).setFiles([textFile('found.txt')]);

  await expect(message(bo.page, words)).toContainText('found.txt');
  await expect(row).not.toContainText('Not sent');
});

test('M4 messages that wait for a network are sent after a reload, in order and once', async () => {
  const [first, second] = [fresh('In a tunnel'), fresh('Still in it')];
  await ana.page.route(/\/message$/, (route) => route.abort());
  await say(ana.page, first);
  await say(ana.page, second);
  await ana.page.reload();
  await expect(message(ana.page, second)).toBeVisible();
  await expect(composer(ana.page)).toHaveValue('');
  await ana.page.unroute(/\/message$/);

  await expect(message(bo.page, second)).toBeVisible();
  const texts = await feed(bo.page).getByRole('article').allInnerTexts();
  const places = texts.flatMap((text, at) => (text.includes(first) || text.includes(second) ? [at] : []));
  expect(places).toHaveLength(2);
  expect(texts[places[0] ?? 0]).toContain(first);
});

test('M4 a message that waited while its conversation was deleted says so after a reload, and its text can be copied', async () => {
  const { page, context } = ana;
  const place = await ownChannel('Soon gone', ['ana', 'bo']);
  const words = fresh('Too late');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const home = page.url();
  await openConversation(page, place.title);
  await page.route(/\/message$/, (route) => route.abort());
  await say(page, words);
  await page.goto('about:blank');
  await asServer().channels.delete(place.cid);
  await page.unroute(/\/message$/);
  await page.goto(home);

  const notice = page.locator('[role="alertdialog"]').filter({ hasText: words });
  await expect(notice).toContainText("Your message wasn't sent: the conversation is gone");
  await notice.locator('button', { hasText: 'Copy text' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(words);
  await page.reload();
  await expect(composer(page)).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test('A1 a file of a draft that the server no longer has is left out, with a notice', async () => {
  const { page } = ana;
  const urls = listenToUploads(page);
  await pick(page, [textFile('fleeting.txt')]);
  await expect.poll(() => urls.get('fleeting.txt')).toBeDefined();
  await composer(page).fill('With a file');
  await page.waitForResponse((reply) => reply.url().includes('/draft'));
  await callAs(
    'ana',
    'DELETE',
    `/uploads/file?${new URLSearchParams({ url: urls.get('fleeting.txt') ?? '' })}`,
  );
  await page.reload();

  await expect(page.getByText('fleeting.txt is no longer available and was left out').first()).toBeVisible();
  await expect(inTray(page, 'fleeting.txt')).toHaveCount(0);
  await expect(composer(page)).toHaveValue('With a file');
  await composer(page).fill('');
});

test('A1 a file that was removed right before a reload does not come back, and the next message is sent', async () => {
  await pick(ana.page, [textFile('unwanted.txt')]);
  const remove = ana.page.getByRole('button', { name: 'Remove unwanted.txt' });
  await remove.click();
  await ana.page.reload();
  await expect(composer(ana.page)).toBeVisible();
  const words = fresh('Without it');
  await say(ana.page, words);

  await expect(message(bo.page, words)).toBeVisible();
  await expect(remove).toBeHidden();
});
