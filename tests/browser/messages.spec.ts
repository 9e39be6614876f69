import { expect, test } from '@playwright/test';
import {
  act,
  anaAndBoTalking,
  composer,
  conversation,
  feed,
  fresh,
  leave,
  message,
  openConversation,
  type Person,
  pointAt,
  say,
} from './people.ts';

let ana: Person;
let bo: Person;

test.beforeAll(async ({ browser }) => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  ({ ana, bo } = await anaAndBoTalking(browser, { permissions }));
});

test.afterAll(() => leave(ana, bo));

test('M4 a message that one pins the other finds in the list, jumps to, and unpins', async () => {
  const text = fresh('The door code is on the fridge');
  await say(ana.page, text);

  await act(ana.page, text, /^Pin$/);
  await expect(message(bo.page, text).getByText('Pinned by Ana Ribeiro')).toBeVisible();
  for (let n = 0; n < 3; n += 1) await say(bo.page, fresh('and something else'));
  await bo.page.getByRole('button', { name: 'Pinned messages' }).click();
  const list = bo.page.getByRole('dialog', { name: 'Pinned messages' });
  await list.getByRole('button').filter({ hasText: text }).click();
  await expect(bo.page).toHaveURL(/[?&]m=/);
  await expect(message(bo.page, text)).toHaveAttribute('data-highlighted', 'true');

  await bo.page.getByRole('button', { name: 'Pinned messages' }).click();
  await list.getByRole('listitem').filter({ hasText: text }).getByRole('button', { name: 'Unpin' }).click();
  await expect(message(ana.page, text).getByText('Pinned by')).toHaveCount(0);
});

test('M4 a quote calls its reader "you", and others by their names; the menu leaves the message in sight', async () => {
  const text = fresh('Who takes the keys?');
  await say(ana.page, text);
  await act(ana.page, text, /^Reply$/);
  await expect(ana.page.getByText('Replying to you')).toBeVisible();
  const answer = fresh('I do');
  await say(ana.page, answer);

  const own = message(ana.page, answer);
  await expect(own.getByRole('button', { name: 'Go to your message' })).toContainText('You');
  const others = message(bo.page, answer).getByRole('button', { name: 'Go to the message by Ana Ribeiro' });
  await expect(others).toContainText('Ana Ribeiro');

  await pointAt(own);
  await own.getByRole('button', { name: 'More actions' }).click();
  const menu = await ana.page.getByRole('menu').boundingBox();
  const words = await own.getByText(answer).boundingBox();
  expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeLessThanOrEqual(words?.x ?? 0);
  await ana.page.keyboard.press('Escape');
});

test('M12 the author opens what a message said before; the other sees only that it was edited', async () => {
  const text = fresh('Meet at five');
  await say(ana.page, text);
  await act(ana.page, text, /^Edit$/);
  await composer(ana.page).fill(text.replace('five', 'six'));
  await composer(ana.page).press('Enter');
  const edited = text.replace('five', 'six');
  await expect(message(bo.page, edited).getByText('edited')).toBeVisible();

  await message(ana.page, edited).getByRole('button', { name: 'edited' }).click();
  const dialog = ana.page.getByRole('dialog', { name: 'Edit history' });
  await expect(dialog.locator('del')).toHaveText('five');
  await expect(dialog.locator('ins')).toHaveText('six');
  await ana.page.keyboard.press('Escape');

  await expect(dialog).toHaveCount(0);
  await expect(message(bo.page, edited).getByRole('button', { name: 'edited' })).toHaveCount(0);
});

test('M4 a link to a message leads to it', async () => {
  const text = fresh('Worth keeping');
  await say(ana.page, text);
  await act(ana.page, text, /Copy link/);
  const notice = await ana.page.getByText('Link copied').first().boundingBox();
  const last = await message(ana.page, text).boundingBox();
  // A notice that lies over what was said last hides what one talks about.
  expect((notice?.y ?? 0) + (notice?.height ?? 0)).toBeLessThan(last?.y ?? 0);

  const link = await ana.page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/\/c\/messaging\/[^?]+\?m=/);
  await bo.page.goto(link);

  await expect(message(bo.page, text)).toHaveAttribute('data-highlighted', 'true');
});

test('M4 copying says whether it worked', async () => {
  const text = fresh('Worth copying');
  await say(ana.page, text);
  await act(ana.page, text, /Copy text/);
  await expect(ana.page.getByText('Copied', { exact: true })).toBeVisible();
  const refuse = () =>
    ana.page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
    });
  const allow = () => ana.page.evaluate(() => Reflect.deleteProperty(navigator.clipboard, 'writeText'));

  await refuse();
  await act(ana.page, text, /Copy link/);

  const notices = ana.page.getByRole('region', { name: 'Notifications' });
  await expect(notices.getByText(/^Couldn't copy/)).toBeVisible();
  await allow();
  expect(await ana.page.evaluate(() => navigator.clipboard.readText())).toBe(text);
});

test('M2 M3 M4 the list, the quote, the bar of a reply and screen readers get the words without any mark', async () => {
  const word = fresh('mark');
  const text = `the \`a*${word}*b\`s, **${word}**🎉 and \\*plain\\*`;
  const preview = `the a*${word}*bs, ${word}🎉 and *plain*`;
  // A message of the same second would be announced together with this one: what Bo has seen elsewhere is not announced here.
  const before = fresh('Before the marks');
  await say(ana.page, before);
  await expect(message(bo.page, before)).toBeVisible();
  await openConversation(bo.page, 'general');
  await openConversation(bo.page, 'Ana Ribeiro');
  await composer(ana.page).fill(text);
  await composer(ana.page).press('Enter');
  await expect(conversation(bo.page, 'Ana Ribeiro')).toContainText(preview);
  await expect(bo.page.getByRole('status').filter({ hasText: `Ana Ribeiro: ${preview}` })).toHaveCount(1);
  await act(bo.page, word, /^Reply$/);
  await expect(bo.page.locator('[data-composer]').getByText(preview)).toBeVisible();
  await say(bo.page, fresh('Nice marks'));

  await expect(feed(ana.page).getByRole('button', { name: 'Go to your message' }).last()).toContainText(
    preview,
  );
});

test('M4 Markdown is drawn, and markup stays text', async () => {
  const mark = fresh('list');
  const text = `**${mark}** and \`code\`\n- one\n- two\n\n\`\`\`ts\nconst a = 1;\n\`\`\`\n<img src=x onerror=alert(1)>`;
  await composer(ana.page).fill(text);
  await composer(ana.page).press('Enter');

  const row = message(bo.page, mark);
  await expect(row.locator('strong')).toHaveText(mark);
  await expect(row.getByRole('listitem')).toHaveText(['one', 'two']);
  await expect(row.locator('pre')).toHaveText('const a = 1;');
  await expect(row.getByText('<img src=x')).toBeVisible();
  await expect(row.locator('img[src="x"]')).toHaveCount(0);
  await message(ana.page, mark).getByRole('button', { name: 'Copy code' }).click();
  await expect.poll(() => ana.page.evaluate(() => navigator.clipboard.readText())).toBe('const a = 1;');
  await expect(feed(ana.page)).toBeVisible();
});
