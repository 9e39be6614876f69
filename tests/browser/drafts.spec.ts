import { expect, test } from '@playwright/test';
import { composer, conversation, fresh, message, openConversation, type Person, signIn } from './people.ts';

let desk: Person;
let phone: Person;

test.beforeAll(async ({ browser }) => {
  desk = await signIn(browser, /Priya Raman/);
  phone = await signIn(browser, /Priya Raman/);
});

test.afterAll(async () => {
  await desk.context.close();
  await phone.context.close();
});

test('M8 what is typed on one device stands on the other, survives a reload, and goes with the send', async () => {
  const text = fresh('Half a thought');
  await openConversation(desk.page, 'Bo Lindqvist');
  await composer(desk.page).fill(text);

  await expect(conversation(phone.page, 'Bo Lindqvist')).toContainText(`Draft: ${text}`);
  await openConversation(phone.page, 'Bo Lindqvist');
  await expect(composer(phone.page)).toHaveValue(text);
  await desk.page.reload();
  await expect(composer(desk.page)).toHaveValue(text);
  await composer(phone.page).press('Enter');

  await expect(message(desk.page, text)).toBeVisible();
  await expect(composer(desk.page)).toHaveValue('');
});

test('M8 two devices that type at once keep both and say so', async () => {
  const [one, other] = [fresh('From the desk'), fresh('From the phone')];
  await openConversation(desk.page, 'Bo Lindqvist');
  await openConversation(phone.page, 'Bo Lindqvist');

  await Promise.all([composer(desk.page).fill(one), composer(phone.page).fill(other)]);

  const said = 'Put together with what you wrote on another device';
  const count = async () =>
    (await desk.page.getByText(said).count()) + (await phone.page.getByText(said).count());
  await expect.poll(count).toBeGreaterThan(0);
  for (const { page } of [desk, phone]) {
    await expect(composer(page)).toHaveValue(new RegExp(one));
    await expect(composer(page)).toHaveValue(new RegExp(other));
  }
  await composer(desk.page).fill('');
});

test('M8 the drafts screen lists what is not sent, leads there and deletes it', async () => {
  const text = fresh('To be finished');
  await openConversation(desk.page, 'Bo Lindqvist');
  await composer(desk.page).fill(text);

  await desk.page.getByRole('link', { name: /^Drafts/ }).click();
  const row = desk.page.getByRole('main').getByRole('listitem').filter({ hasText: text });
  await row.getByRole('button', { name: /Bo Lindqvist/ }).click();
  await expect(composer(desk.page)).toHaveValue(text);
  await desk.page.getByRole('link', { name: /^Drafts/ }).click();
  await row.getByRole('button', { name: 'Delete draft' }).click();

  await expect(row).toHaveCount(0);
  await expect(conversation(phone.page, 'Bo Lindqvist')).not.toContainText(text);
});
