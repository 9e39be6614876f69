import { expect, type Locator, type Page, test } from '@playwright/test';
import { violations } from './axe.ts';
import { callAs, type Files, filesIn, loaded, png, wav } from './files.ts';
import { conversation, message, openConversation, type Person, signIn } from './people.ts';

let bo: Person;

test.beforeAll(async ({ browser }) => {
  bo = await signIn(browser, /Bo Lindqvist/);
});
test.afterAll(async () => {
  await bo.context.close();
});

const viewer = (page: Page) => page.getByRole('dialog', { name: 'Photos' });
const tiles = (row: Locator) => row.getByRole('button', { name: /^Photo/ });
const count = (page: Page) => viewer(page).getByText(/^\d+ of \d+/);
const scaleOf = (page: Page) =>
  viewer(page)
    .locator('[style*="scale"]')
    .evaluate((element) => new DOMMatrix(getComputedStyle(element).transform).a);

test('A1 pictures of a message stand in a grid, what does not fit is behind the last', async () => {
  const files = await filesIn('grid', 'Grid');
  await files.sendImages('one', [800, 600]);
  await files.sendImages('two', [300, 300], [300, 200]);
  await files.sendImages('three', [300, 300], [300, 200], [300, 200]);
  await files.sendImages('six', ...Array.from({ length: 6 }, () => [320, 240] as const));
  const { page } = bo;
  await openConversation(page, 'Grid');

  for (const [text, shown] of [
    ['one', 1],
    ['two', 2],
    ['three', 3],
    ['six', 4],
  ] as const)
    await expect(tiles(message(page, text))).toHaveCount(shown);
  await expect(message(page, 'one').getByRole('img', { name: 'Photo: one 1.png' })).toBeVisible();
  await expect(tiles(message(page, 'six')).last()).toHaveAccessibleName('Photo 4 of 6: six 4.png 2 more');
  const box = await message(page, 'one').getByRole('img').boundingBox();
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(4 / 3, 1);
  await loaded(message(page, 'one').getByRole('img'));
});

test('A1 the pictures of a message are seen whole, by keyboard, wheel and double click', async () => {
  const { page } = bo;
  await openConversation(page, 'Grid');
  const first = tiles(message(page, 'six')).first();
  await first.focus();
  await page.keyboard.press('Enter');
  await expect(count(page)).toContainText('1 of 6');
  expect(await violations(page, { within: '[role="dialog"]' })).toEqual([]);

  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(count(page)).toContainText('3 of 6');
  await page.keyboard.press('ArrowLeft');
  await expect(count(page)).toContainText('2 of 6');
  await page.keyboard.press('+');
  await expect.poll(() => scaleOf(page)).toBeGreaterThan(1.4);
  await page.keyboard.press('-');
  await expect.poll(() => scaleOf(page)).toBeCloseTo(1, 1);
  await viewer(page).getByRole('img').dblclick();
  await expect.poll(() => scaleOf(page)).toBeGreaterThan(2);
  await viewer(page).getByRole('img').dblclick();
  await expect.poll(() => scaleOf(page)).toBeCloseTo(1, 1);
  await page.mouse.wheel(0, -400);
  await expect.poll(() => scaleOf(page)).toBeGreaterThan(1.5);

  for (let turn = 0; turn < 14; turn += 1) {
    await page.keyboard.press('Tab');
    const isInside = () => page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null);
    // At an end it passes the guard of the trap on its way back in.
    await expect.poll(isInside).toBe(true);
  }
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    viewer(page).getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe('six 2.png');
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toBeHidden();
  await expect(first).toBeFocused();
});

test('A1 on a phone a swipe goes on, two fingers enlarge, and a pull down closes', async ({ browser }) => {
  const size = { width: 390, height: 844 };
  const phone = await signIn(browser, /Ana Ribeiro/, { viewport: size, hasTouch: true, isMobile: true });
  const { page } = phone;
  await conversation(page, 'Grid').tap();
  const touch = await page.context().newCDPSession(page);
  type Finger = { x: number; y: number };
  const draw = async (...paths: [Finger, Finger][]) => {
    const at = (share: number) =>
      paths.map(([from, to]) => ({
        x: from.x + (to.x - from.x) * share,
        y: from.y + (to.y - from.y) * share,
      }));
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
    for (let step = 1; step <= 6; step += 1)
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step / 6) });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  await tiles(message(page, 'six')).first().tap();
  await expect(count(page)).toContainText('1 of 6');

  await draw([
    { x: 320, y: 400 },
    { x: 90, y: 410 },
  ]);
  await expect(count(page)).toContainText('2 of 6');
  await draw([
    { x: 90, y: 400 },
    { x: 320, y: 410 },
  ]);
  await expect(count(page)).toContainText('1 of 6');
  await draw(
    [
      { x: 180, y: 420 },
      { x: 60, y: 420 },
    ],
    [
      { x: 210, y: 420 },
      { x: 330, y: 420 },
    ],
  );
  await expect.poll(() => scaleOf(page)).toBeGreaterThan(2);
  await draw(
    [
      { x: 210, y: 420 },
      { x: 330, y: 420 },
    ],
    [
      { x: 180, y: 420 },
      { x: 60, y: 420 },
    ],
  );
  await draw(
    [
      { x: 60, y: 420 },
      { x: 180, y: 420 },
    ],
    [
      { x: 330, y: 420 },
      { x: 210, y: 420 },
    ],
  );
  await expect.poll(() => scaleOf(page)).toBeCloseTo(1, 1);
  await draw([
    { x: 190, y: 300 },
    { x: 195, y: 620 },
  ]);
  await expect(viewer(page)).toBeHidden();
  await phone.context.close();
});

test('A3 a file is saved under its name, and one that was removed says so', async () => {
  const { page } = bo;
  const files = await filesIn('cards', 'Cards');
  const name = 'Räport, the long version of the year (final).pdf';
  await files.sendFile('paper', name, Buffer.from('%PDF-1.4 hello'));
  const gone = await files.sendFile('vanishing', 'secret plan.txt', Buffer.from('hush'));
  await openConversation(page, 'Cards');
  const card = message(page, 'paper').getByRole('button', { name: `Download ${name}` });
  await expect(card).toContainText('PDF · 14 bytes');

  const [saved] = await Promise.all([page.waitForEvent('download'), card.click()]);
  expect(saved.suggestedFilename()).toBe(name);
  expect(page.url()).toContain('/c/team/cards');

  await callAs('ana', 'DELETE', `/uploads/file?url=${encodeURIComponent(gone.file)}`);
  await page.reload();
  await expect(message(page, 'vanishing').getByText('No longer available')).toBeVisible();
  await expect(message(page, 'vanishing').getByRole('button', { name: /secret plan/ })).toBeDisabled();
});

test('A1 the files shared in a channel are found in one place, newest first, with the way back', async () => {
  const { page } = bo;
  const files = await filesIn('shared', 'Shared');
  await files.sendImages('older pictures', [300, 200], [300, 200]);
  for (let turn = 0; turn < 12; turn += 1) await files.send(`words ${turn}`, []);
  await files.send('see https://example.com/one and https://example.com/two', []);
  await files.sendFile('', 'notes.txt', Buffer.from('notes'));
  await files.sendFile('', 'said.wav', wav(3), { type: 'voiceRecording' });
  await files.sendImages('newer picture', [300, 200]);
  await openConversation(page, 'Shared');
  await page.getByRole('button', { name: 'Media and files' }).click();
  const panel = page.getByRole('complementary', { name: 'Media and files' });
  const shown = panel.getByRole('button', { name: /Photo/ });

  await expect(shown).toHaveCount(3);
  await expect(shown.first()).toHaveAccessibleName(/newer picture 1\.png/);
  await files.sendImages('newest picture', [300, 200]);
  await expect(shown.first()).toHaveAccessibleName(/newest picture 1\.png/);
  expect(await violations(page, { within: 'aside, [role="complementary"]' })).toEqual([]);
  await panel.getByRole('tab', { name: 'Files' }).click();
  await expect(panel.getByRole('group', { name: 'Voice message' })).toBeVisible();
  await expect(panel.getByRole('button', { name: /^Download notes\.txt/ })).toBeVisible();
  await panel.getByRole('tab', { name: 'Links' }).click();
  await expect(panel.getByRole('link')).toHaveCount(2);
  await panel.getByRole('tab', { name: 'Media' }).click();
  await shown.first().click();
  await expect(count(page)).toContainText('1 of 4');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toBeHidden();
  await expect(panel).toBeVisible();
  await shown.last().click();
  await viewer(page).getByRole('button', { name: 'Go to the message' }).click();
  await expect(message(page, 'older pictures')).toHaveAttribute('data-highlighted', 'true');
});

test('M3 where one line stands for a message, what it carries is named', async () => {
  const { page } = bo;
  const files: Files = await filesIn('lines', 'Lines');
  const photos = await files.sendImages('', [300, 200], [300, 200]);
  await expect(conversation(page, 'Lines')).toContainText('📷 2 photos');
  await files.sendFile('', 'Plan.pdf', Buffer.from('%PDF-1.4'));
  await expect(conversation(page, 'Lines')).toContainText('📎 Plan.pdf');
  await files.sendFile('', 'v.wav', wav(1), { type: 'voiceRecording' });
  await expect(conversation(page, 'Lines')).toContainText('🎤 Voice message');

  await callAs('bo', 'POST', '/channels/team/lines/message', {
    message: { text: 'Lovely', quoted_message_id: photos.id },
  });
  await openConversation(page, 'Lines');
  await expect(message(page, 'Lovely').getByText('📷 2 photos')).toBeVisible();
});

test('A4 links have cards by their kind: safe links, pictures over https alone', async ({ browser }) => {
  const files = await filesIn('linked', 'Linked');
  const page0 = {
    og_scrape_url: 'https://example.com/a',
    title_link: 'https://example.com/a',
    author_name: 'Example',
  };
  const image_url = 'https://pictures.example/p.png';
  await files.send('an article', [
    { ...page0, type: 'article', title: 'All about bells', text: 'Four of nine.', image_url },
  ]);
  await files.send('a film', [{ ...page0, type: 'video', title: 'A bell rings', image_url }]);
  await files.send('unsafe', [
    { ...page0, type: 'article', title: 'No picture', text: 'x', image_url: 'http://plain.example/p.png' },
  ]);
  const refused = await callAs('ana', 'POST', '/channels/team/linked/message', {
    message: { attachments: [{ ...page0, title_link: 'javascript:alert(1)' }] },
  });
  expect(refused.status).toBe(400);
  const late = await signIn(browser, /Bo Lindqvist/);
  const { page } = late;
  const asked: { url: string; referer: string | undefined }[] = [];
  await page.route(/(pictures|plain)\.example/, (route) => {
    asked.push({ url: route.request().url(), referer: route.request().headers().referer });
    return route.fulfill({ body: png(400, 210), contentType: 'image/png' });
  });
  await openConversation(page, 'Linked');

  const card = message(page, 'an article').getByRole('link', { name: /All about bells/ });
  await expect(card).toHaveAttribute('href', 'https://example.com/a');
  await expect(card).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  await expect(card).toHaveAttribute('target', '_blank');
  await expect(card).toContainText('Four of nine.');
  await loaded(card.locator('img'));
  await expect(message(page, 'a film').getByRole('img', { name: 'Video' })).toBeVisible();
  await expect(message(page, 'unsafe').getByRole('link').locator('img')).toHaveCount(0);
  expect(asked.every(({ url, referer }) => url === image_url && referer === undefined)).toBe(true);
  await late.context.close();
});

test('A1 a channel without attachments loads none of what shows them', async ({ browser }) => {
  const plain = await signIn(browser, /Bo Lindqvist/);
  const { page } = plain;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await openConversation(page, 'Priya Raman');
  // Idle loading starts within two seconds: nothing of it may be loaded.
  await page.waitForTimeout(2500);

  expect(asked.filter((url) => /attachment-list|link-cards|lightbox|uploads\/sign/.test(url))).toEqual([]);
  await openConversation(page, 'Grid');
  // Its import, right after it was fetched, finds it in the browser's cache, which may count as a request of its own.
  const shown = () => new Set(asked.filter((url) => /attachment-list[^/]*\.js/.test(url)));
  await expect.poll(() => shown().size).toBe(1);
  await plain.context.close();
});
