import { expect, test } from '@playwright/test';
import {
  act,
  asServer,
  beginChannel,
  cidOf,
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

let desktop: Person;
let phone: Person;

test.beforeAll(async ({ browser }) => {
  desktop = await signIn(browser, /Priya Raman/);
  phone = await signIn(browser, /Priya Raman/);
});

test.afterAll(() => leave(desktop, phone));

test('M8 a text typed on one device shows on the other, survives a reload, and goes with the send', async () => {
  const text = fresh('Half a thought');
  await openConversation(desktop.page, 'Bo Lindqvist');
  await composer(desktop.page).fill(text);

  await expect(conversation(phone.page, 'Bo Lindqvist')).toContainText(`Draft: ${text}`);
  await openConversation(phone.page, 'Bo Lindqvist');
  await expect(composer(phone.page)).toHaveValue(text);
  await desktop.page.reload();
  await expect(composer(desktop.page)).toHaveValue(text);
  await composer(phone.page).press('Enter');

  await expect(message(desktop.page, text)).toBeVisible();
  await expect(composer(desktop.page)).toHaveValue('');
});

test('M8 two devices that type at once keep both and say so', async () => {
  const [one, other] = [fresh('From the desktop'), fresh('From the phone')];
  await openConversation(desktop.page, 'Bo Lindqvist');
  await openConversation(phone.page, 'Bo Lindqvist');

  await Promise.all([composer(desktop.page).fill(one), composer(phone.page).fill(other)]);

  const said = 'Merged with what you wrote on another device';
  const count = async () =>
    (await desktop.page.getByText(said).count()) + (await phone.page.getByText(said).count());
  await expect.poll(count).toBeGreaterThan(0);
  for (const { page } of [desktop, phone]) {
    await expect(composer(page)).toHaveValue(new RegExp(one));
    await expect(composer(page)).toHaveValue(new RegExp(other));
  }
  await composer(desktop.page).fill('');
});

test('M8 an answer begun on another device does not take the focus from an open dialog', async () => {
  const text = fresh('Which day');
  await openConversation(desktop.page, 'Bo Lindqvist');
  await openConversation(phone.page, 'Bo Lindqvist');
  await say(phone.page, text);
  await desktop.page.getByRole('button', { name: 'Add', exact: true }).click();
  await desktop.page.getByRole('menuitem', { name: 'Create a poll' }).click();
  const box = desktop.page.getByRole('dialog', { name: 'New poll' });
  const question = box.getByRole('textbox', { name: 'Question' });
  await expect(question).toBeFocused();

  await act(phone.page, text, /^Reply$/);
  await expect(desktop.page.getByText(/^Replying to/)).toBeVisible();

  await expect(question).toBeFocused();
  await box.getByRole('button', { name: 'Cancel' }).click();
  await composer(phone.page).press('Escape');
  // A page that is left at once still stores what was changed in it.
  await phone.page.goto('about:blank');
  await expect(desktop.page.getByText(/^Replying to/)).toBeHidden();
  await phone.page.goto('/');
});

test('M8 the drafts screen lists what is not sent, leads there and deletes it', async () => {
  const text = fresh('To be finished');
  await openConversation(desktop.page, 'Bo Lindqvist');
  await composer(desktop.page).fill(text);

  await desktop.page.getByRole('link', { name: /^Drafts/ }).click();
  const row = desktop.page.getByRole('main').getByRole('listitem').filter({ hasText: text });
  await row.getByRole('button', { name: /Bo Lindqvist/ }).click();
  await expect(composer(desktop.page)).toHaveValue(text);
  await desktop.page.getByRole('link', { name: /^Drafts/ }).click();
  await row.getByRole('button', { name: 'Delete draft' }).click();

  await expect(row).toHaveCount(0);
  await expect(conversation(phone.page, 'Bo Lindqvist')).not.toContainText(text);
});

test('M8 a caret stays where it is when the other device writes', async () => {
  const text = fresh('One line');
  await openConversation(desktop.page, 'Bo Lindqvist');
  await openConversation(phone.page, 'Bo Lindqvist');
  await composer(desktop.page).fill(text);
  await expect(composer(phone.page)).toHaveValue(text);
  await composer(desktop.page).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(3, 3));

  await composer(phone.page).fill(`${text} and more`);

  await expect(composer(desktop.page)).toHaveValue(`${text} and more`);
  await desktop.page.keyboard.type('!');
  await expect(composer(desktop.page)).toHaveValue(`${text} and more`.replace('One', 'One!'));
  await composer(desktop.page).fill('');
});

test('M8 the text of another device waits until a composition has ended, and nothing is lost', async () => {
  const text = fresh('Both');
  await openConversation(desktop.page, 'Bo Lindqvist');
  await openConversation(phone.page, 'Bo Lindqvist');
  await composer(desktop.page).fill(`${text} `);
  await expect(composer(phone.page)).toHaveValue(`${text} `);
  await composer(desktop.page).press('End');
  const ime = await desktop.context.newCDPSession(desktop.page);
  const compose = (letters: string) =>
    ime.send('Input.imeSetComposition', {
      text: letters,
      selectionStart: letters.length,
      selectionEnd: letters.length,
    });
  await compose('に');
  const saved = phone.page.waitForResponse((reply) => reply.url().includes('/draft'));
  await composer(phone.page).fill(`from the phone. ${text} `);
  await saved;
  // The text of the phone arrives now, and nothing may show it.
  await desktop.page.waitForTimeout(300);
  await expect(composer(desktop.page)).toHaveValue(`${text} に`);
  await compose('にほ');
  await compose('にほん');
  await expect(composer(desktop.page)).toHaveValue(`${text} にほん`);
  await ime.send('Input.insertText', { text: '日本' });

  for (const { page } of [desktop, phone])
    await expect(composer(page)).toHaveValue(`from the phone. ${text} 日本`);
  await composer(desktop.page).fill('');
});

test('M8 a draft in a channel that is gone is still there, to be copied or deleted', async () => {
  const [title, text] = [fresh('Short lived'), fresh('Not to be lost')];
  await desktop.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await beginChannel(desktop.page, title, ['Bo Lindqvist']);
  await composer(desktop.page).fill(text);
  await phone.page.goto('/drafts');
  const there = phone.page.getByRole('main').getByRole('listitem').filter({ hasText: text });
  await expect(there).toContainText(title);
  await asServer().channels.delete(cidOf(desktop.page));

  for (const { page } of [desktop, phone]) {
    await page.goto('/drafts');
    const row = page.getByRole('main').getByRole('listitem').filter({ hasText: text });
    await expect(row).toContainText('This conversation no longer exists');
  }
  const row = desktop.page.getByRole('main').getByRole('listitem').filter({ hasText: text });
  await row.getByRole('button', { name: 'Copy text' }).click();
  await expect(row.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await desktop.page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  await row.getByRole('button', { name: 'Delete draft' }).click();
  await expect(row).toHaveCount(0);
});
