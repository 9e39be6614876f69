import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import {
  act,
  asServer,
  composer,
  fresh,
  message,
  openConversation,
  type Person,
  say,
  signIn,
} from './people.ts';
import {
  dispatchFiles,
  holdUploads,
  inTray,
  listenToUploads,
  namesInTray,
  pick,
  picture,
  readAs,
  send,
  slowDown,
  startCable,
  textFile,
  tray,
  urlsIn,
} from './uploads-support.ts';

let ana: Person;
let bo: Person;
let uploaded: Map<string, string>;
const folder = mkdtempSync(join(tmpdir(), 'parley-uploads-'));

test.beforeAll(async ({ browser }) => {
  ana = await signIn(browser, /Ana Ribeiro/);
  bo = await signIn(browser, /Bo Lindqvist/);
  uploaded = listenToUploads(ana.page);
  await openConversation(ana.page, 'Bo Lindqvist');
  await openConversation(bo.page, 'Ana Ribeiro');
});
test.afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await ana.context.close();
  await bo.context.close();
});

/** A journey that failed does not leave its files to the next. */
test.afterEach(async () => {
  const { status, expectedStatus } = test.info();
  if (status === expectedStatus || ana.page.isClosed()) return;
  await ana.page.unrouteAll({ behavior: 'ignoreErrors' });
  await ana.page.keyboard.press('Escape');
  await openConversation(ana.page, 'Bo Lindqvist');
  const rest = tray(ana.page).getByRole('button', { name: /^(Remove|Cancel upload of) / });
  for (let left = await rest.count(); left > 0; left = await rest.count()) await rest.first().click();
  await composer(ana.page).fill('');
});

const finished = (page: Page, name: string) =>
  expect(inTray(page, name)).toHaveAttribute('data-state', 'finished');

const notice = (page: Page, words: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(words);

test('A1 picked files are shown with name and size, and reach the other person', async () => {
  const { page } = ana;
  const words = fresh('Two things for you');
  await pick(page, [await picture('harbour.png'), textFile('notes.txt', 'x'.repeat(2048))]);

  await expect(inTray(page, 'harbour.png').locator('img')).toHaveAttribute('src', /^blob:/);
  await expect(inTray(page, 'notes.txt')).toContainText('2 kB');
  await finished(page, 'harbour.png');
  await finished(page, 'notes.txt');
  await composer(page).fill(words);
  const sent = await send(page);

  expect(sent.attachments.map(({ type, title }) => [type, title])).toEqual([
    ['image', 'harbour.png'],
    ['file', 'notes.txt'],
  ]);
  await expect(message(bo.page, words)).toBeVisible();
  expect(await readAs(page, 'bo', urlsIn(sent)[1] ?? '')).toEqual({ status: 200, text: 'x'.repeat(2048) });
});

test('A1 a picture is pasted, and goes without words', async () => {
  const { page } = ana;
  await dispatchFiles(composer(page), 'paste', [{ name: 'pasted.txt', type: 'text/plain' }]);
  await finished(page, 'pasted.txt');

  const sent = await send(page);
  expect([sent.text, sent.attachments.length]).toEqual(['', 1]);
});

test('A1 files are dropped onto the conversation, which shows where they go', async () => {
  const { page } = ana;
  const list = page.getByRole('main').getByRole('feed');
  const files = [{ name: 'dropped.txt', type: 'text/plain' }];
  await dispatchFiles(list, 'dragenter', files);
  await expect(page.getByText('Drop files here')).toBeVisible();
  await expect(page.getByText('They are added to your message in Bo Lindqvist')).toBeVisible();
  await dispatchFiles(list, 'dragleave', files);
  await expect(page.getByText('Drop files here')).toBeHidden();
  await dispatchFiles(list, 'dragover', files);
  await dispatchFiles(list, 'drop', files);

  await expect(page.getByText('Drop files here')).toBeHidden();
  await finished(page, 'dropped.txt');
  await expect(composer(page)).toBeFocused();
  await send(page);
});

test('A2 an edit waits until all attachments have uploaded; its text stays', async () => {
  const { page } = ana;
  const words = fresh('Not yet');
  await say(page, words);
  await expect(message(bo.page, words)).toBeVisible();
  const letGo = await holdUploads(page);
  await composer(page).press('ArrowUp');
  await expect(composer(page)).toHaveValue(words);
  await pick(page, [textFile('slow.txt')]);
  await expect(inTray(page, 'slow.txt')).toHaveAttribute('data-state', 'uploading');
  await composer(page).press('Enter');

  await expect(notice(page, 'Wait until all attachments have uploaded')).toBeVisible();
  await expect(composer(page)).toHaveValue(words);
  await letGo();
  await finished(page, 'slow.txt');
  await composer(page).press('Enter');
  await expect(message(bo.page, words)).toContainText('slow.txt');
});

test('A1 progress is shown, and a cancelled upload is gone', async () => {
  const { page } = ana;
  const restore = await slowDown(page, 300_000);
  await pick(page, [textFile('large.bin', 'x'.repeat(3_000_000)), textFile('small.txt')]);
  const bar = page.getByRole('progressbar', { name: 'Uploading large.bin' });
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(10);
  await expect(inTray(page, 'large.bin')).toContainText(/\d+% of 2.9 MB/);
  await page.getByRole('button', { name: 'Cancel upload of large.bin' }).click();

  await expect(inTray(page, 'large.bin')).toBeHidden();
  await restore();
  await finished(page, 'small.txt');
  expect(uploaded.has('large.bin')).toBe(false);
  const sent = await send(page);
  expect(sent.attachments.map(({ title }) => title)).toEqual(['small.txt']);
});

test('A2 a failed upload says so and is tried again', async () => {
  const { page } = ana;
  const error = { code: 4, name: 'InputInvalid', message: 'broken', status: 400, request_id: 'r' };
  await page.route(/\/uploads\/file\?/, (route) => route.fulfill({ status: 400, json: error }));
  await pick(page, [textFile('unlucky.txt')]);

  await expect(inTray(page, 'unlucky.txt')).toHaveAttribute('data-state', 'failed');
  await expect(inTray(page, 'unlucky.txt')).toContainText('Error uploading attachment');
  await page.unroute(/\/uploads\/file\?/);
  await page.getByRole('button', { name: 'Try unlucky.txt again' }).click();
  await finished(page, 'unlucky.txt');
  await expect(inTray(page, 'unlucky.txt')).not.toContainText('Error uploading attachment');
  await send(page);
});

test('A2 a blocked file says so, cannot be tried again, and does not hold the others back', async () => {
  const { page } = ana;
  await pick(page, [textFile('setup.exe'), textFile('fine.txt')]);

  await expect(inTray(page, 'setup.exe')).toHaveAttribute('data-state', 'blocked');
  await expect(inTray(page, 'setup.exe')).toContainText('The attachment upload was blocked');
  await expect(page.getByRole('button', { name: 'Try setup.exe again' })).toBeHidden();
  await finished(page, 'fine.txt');
  await composer(page).fill(fresh('Without the program'));
  await composer(page).press('Enter');
  await expect(inTray(page, 'fine.txt')).toBeHidden();
  await expect(inTray(page, 'setup.exe')).toBeVisible();
  await page.getByRole('button', { name: 'Remove setup.exe' }).click();
  await expect(tray(page)).toBeHidden();
});

test('A1 at most 10 files and 100 MB each; those that are refused are named', async () => {
  const { page } = ana;
  const large = join(folder, 'film.mov');
  writeFileSync(large, '');
  truncateSync(large, 101 * 1024 * 1024);
  await pick(page, [large]);
  await expect(inTray(page, 'film.mov')).toHaveAttribute('data-state', 'failed');
  await expect(inTray(page, 'film.mov')).toContainText('Up to 100 MB per file');
  await page.getByRole('button', { name: 'Remove film.mov' }).click();
  await pick(
    page,
    Array.from({ length: 12 }, (_, at) => textFile(`f${at + 1}.txt`)),
  );

  await expect(notice(page, 'Not added: f11.txt and f12.txt. Up to 10 files per message.')).toBeVisible();
  await expect(tray(page).getByRole('listitem')).toHaveCount(10);
  await finished(page, 'f10.txt');
  const sent = await send(page);
  expect(sent.attachments).toHaveLength(10);
});

test('A1 files are put in another order by keys and by dragging, and are sent so', async () => {
  const { page } = ana;
  const announced = (words: string) => page.getByRole('status').getByText(words);
  const letGo = await holdUploads(page, 'two.txt');
  await pick(
    page,
    ['one.txt', 'two.txt', 'three.txt'].map((name) => textFile(name)),
  );
  await finished(page, 'three.txt');
  const handle = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true });
  await handle('three.txt').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(handle('three.txt')).toBeFocused();
  // An upload that ends right after takes away neither the words, nor the focus, nor the order.
  await letGo();
  await finished(page, 'two.txt');
  await expect(announced('two.txt has uploaded')).toBeAttached();
  await expect(announced('three.txt is now 2 of 3')).toBeAttached();
  await expect(handle('three.txt')).toBeFocused();
  expect(await namesInTray(page)).toEqual(['one.txt', 'three.txt', 'two.txt']);
  await handle('two.txt').hover();
  const target = await handle('one.txt').boundingBox();
  await page.mouse.down();
  await page.mouse.move((target?.x ?? 0) + 10, (target?.y ?? 0) + 10, { steps: 5 });
  await page.mouse.up();

  await expect.poll(() => namesInTray(page)).toEqual(['two.txt', 'one.txt', 'three.txt']);
  await composer(page).focus();
  const sent = await send(page);
  expect(sent.attachments.map(({ title }) => title)).toEqual(['two.txt', 'one.txt', 'three.txt']);
});

test('A3 a file removed from the composer is deleted on the server', async () => {
  const { page } = ana;
  await pick(page, [textFile('secret.txt')]);
  await finished(page, 'secret.txt');
  await expect.poll(() => uploaded.has('secret.txt')).toBe(true);
  const url = uploaded.get('secret.txt') ?? '';
  expect((await readAs(page, 'ana', url)).status).toBe(200);
  await page.getByRole('button', { name: 'Remove secret.txt' }).click();

  await expect(tray(page)).toBeHidden();
  await expect.poll(async () => (await readAs(page, 'ana', url)).status).toBe(404);
});

test('A3 the file of a message that is deleted for good is gone', async () => {
  const { page } = ana;
  await pick(page, [textFile('passing.txt')]);
  await finished(page, 'passing.txt');
  const sent = await send(page);
  const [url = ''] = urlsIn(sent);
  expect((await readAs(page, 'bo', url)).status).toBe(200);
  await asServer().messages.delete(sent.id, { hard: true });

  await expect.poll(async () => (await readAs(page, 'bo', url)).status).toBe(404);
});

test('A1 an upload goes on after two seconds without a network', async ({ browser, baseURL }) => {
  const cable = await startCable(baseURL ?? '');
  const { page, context } = await signIn(browser, /Ana Ribeiro/, { baseURL: cable.url });
  await openConversation(page, 'Bo Lindqvist');
  const restore = await slowDown(page, 400_000);
  await pick(page, [textFile('tunnel.bin', 'x'.repeat(1_600_000))]);
  const bar = page.getByRole('progressbar', { name: 'Uploading tunnel.bin' });
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(10);
  cable.cut();
  // The test is about the time without a network.
  await page.waitForTimeout(2000);
  await expect(inTray(page, 'tunnel.bin')).toHaveAttribute('data-state', 'uploading');
  cable.mend();
  await restore();

  await expect(inTray(page, 'tunnel.bin')).toHaveAttribute('data-state', 'finished', { timeout: 30_000 });
  const sent = await send(page);
  expect((await readAs(page, 'bo', urlsIn(sent)[0] ?? '')).text).toHaveLength(1_600_000);
  await context.close();
  await cable.stop();
});

test('A1 uploads go on in another conversation, and leaving the page is asked about', async () => {
  const { page } = ana;
  const letGo = await holdUploads(page);
  await pick(page, [textFile('left-behind.txt')]);
  await expect(inTray(page, 'left-behind.txt')).toHaveAttribute('data-state', 'uploading');
  await openConversation(page, 'general');
  await expect(tray(page)).toBeHidden();
  const asked = page.waitForEvent('dialog');
  const leaving = page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await leaving;
  await letGo();
  await expect.poll(() => uploaded.has('left-behind.txt')).toBe(true);
  await openConversation(page, 'Bo Lindqvist');

  await finished(page, 'left-behind.txt');
  await send(page);
});

test('A1 finished uploads are part of the draft: after a reload, and on the other device', async ({
  browser,
}) => {
  const other = await signIn(browser, /Ana Ribeiro/);
  const { page } = ana;
  await openConversation(other.page, 'Bo Lindqvist');
  await pick(page, [await picture('kept.png'), textFile('kept.txt')]);
  await finished(page, 'kept.png');
  await finished(other.page, 'kept.txt');
  await expect(inTray(other.page, 'kept.png').locator('img')).toHaveAttribute('src', /signature=/);
  await page.reload();
  await finished(page, 'kept.png');
  await finished(page, 'kept.txt');
  await page.getByRole('button', { name: 'Remove kept.txt' }).click();

  await expect(inTray(other.page, 'kept.txt')).toBeHidden();
  const sent = await send(other.page);
  expect(sent.attachments.map(({ title }) => title)).toEqual(['kept.png']);
  await expect(tray(page)).toBeHidden();
  await other.context.close();
});

test('A1 an edit takes files away and adds others', async () => {
  const { page } = ana;
  const words = fresh('First version');
  await pick(page, [textFile('old.txt'), textFile('stays.txt')]);
  await finished(page, 'stays.txt');
  await composer(page).fill(words);
  const { id } = await send(page);
  await expect(message(page, words)).toBeVisible();
  await composer(page).press('ArrowUp');
  await expect(composer(page)).toHaveValue(words);
  await finished(page, 'old.txt');
  await page.getByRole('button', { name: 'Remove old.txt' }).click();
  await pick(page, [textFile('new.txt')]);
  await finished(page, 'new.txt');
  await composer(page).press('Enter');

  await expect(tray(page)).toBeHidden();
  const titles = async () => (await asServer().messages.get(id)).attachments.map(({ title }) => title);
  await expect.poll(titles).toEqual(['stays.txt', 'new.txt']);
});

test('A1 a picture gets a description, and threads take files too', async () => {
  const { page } = ana;
  const root = fresh('Files below');
  await say(page, root);
  await act(page, root, /thread/i);
  const panel = page.getByRole('complementary');
  await expect(panel.getByRole('textbox')).toBeVisible();
  await pick(page, [await picture('map.png')], panel);
  const item = panel.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
  await expect(item).toHaveAttribute('data-state', 'finished');
  await expect(tray(page)).toBeHidden();
  await panel.getByRole('button', { name: 'Describe map.png' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('A map of the harbour');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  const reply = page.waitForResponse((response) => response.url().endsWith('/message'));
  await panel.getByRole('textbox').press('Enter');

  const { message: sent } = await (await reply).json();
  expect(sent.attachments[0].alt).toBe('A map of the harbour');
  expect(sent.parent_id).toBeDefined();
});
