import { expect, test } from '@playwright/test';
import {
  act,
  anaAndBo,
  asServer,
  composer,
  conversation,
  feed,
  fresh,
  leave,
  message,
  openConversation,
  ownChannel,
  type Person,
  type Place,
  say,
  signIn,
} from './people.ts';

let place: Place;
let ana: Person;
let bo: Person;

test.beforeAll(async ({ browser }) => {
  place = await ownChannel('Kinds', ['priya', 'ana', 'bo']);
  ({ ana, bo } = await anaAndBo(browser));
  for (const { page } of [ana, bo]) await openConversation(page, place.title);
});

test.afterAll(() => leave(ana, bo));

test('M4 a word to one alone: seen by its reader, gone when taken away', async () => {
  const text = fresh('Your invoice is ready');
  await asServer().messages.send(place.cid, 'ana', { type: 'ephemeral', text });

  const note = feed(ana.page).getByRole('article', { name: 'Only visible to you' }).filter({ hasText: text });
  await expect(note).toBeVisible();
  await say(ana.page, fresh('said after it'));
  await expect(note).toBeVisible();
  await expect(feed(bo.page).getByText(text)).toHaveCount(0);
  await note.hover();
  await expect(note.getByRole('toolbar')).toHaveCount(0);

  await note.getByRole('button', { name: 'Dismiss' }).click();
  await expect(note).toHaveCount(0);
});

test('M12 a pending message: its author publishes it or drops it, and only then others see it', async () => {
  const hold = async (text: string) => {
    const body = { pending: true, message: { text, user_id: 'ana' } };
    await asServer().http.call('POST /channels/{type}/{id}/message', { path: place.path, body });
  };
  const [kept, dropped] = [fresh('Draft of the news'), fresh('Better not')];
  await hold(kept);
  await expect(message(ana.page, kept).getByText('Pending: only you can see it')).toBeVisible();
  await expect(message(bo.page, kept)).toHaveCount(0);
  await ana.page.reload();
  await openConversation(ana.page, place.title);

  await message(ana.page, kept).getByRole('button', { name: 'Publish' }).click();
  await expect(message(bo.page, kept)).toBeVisible();
  await expect(message(ana.page, kept).getByText('Pending')).toHaveCount(0);
  await hold(dropped);
  await message(ana.page, dropped).getByRole('button', { name: 'Delete' }).click();
  await expect(message(ana.page, dropped)).toHaveCount(0);
  await expect(message(bo.page, dropped)).toHaveCount(0);
});

test('M4 a system message is a line of its own; a silent one makes nothing unread', async () => {
  const server = asServer();
  const [news, quiet, loud] = [fresh('The build is green'), fresh('By the way'), fresh('Look here')];
  await server.messages.send(place.cid, 'priya', { type: 'system', text: news });
  for (const { page } of [ana, bo]) {
    await expect(feed(page).getByText(news)).toBeVisible();
    await message(page, news).hover();
    await expect(message(page, news).getByRole('toolbar')).toHaveCount(0);
  }

  await openConversation(bo.page, 'random');
  await server.messages.send(place.cid, 'ana', { text: quiet, silent: true });
  await expect(message(ana.page, quiet)).toBeVisible();
  await expect(conversation(bo.page, place.title).getByRole('img', { name: /unread/ })).toHaveCount(0);
  await server.messages.send(place.cid, 'ana', { text: loud });
  await expect(
    conversation(bo.page, place.title).getByRole('img', { name: '1 unread message' }),
  ).toBeVisible();

  await openConversation(bo.page, place.title);
  await expect(message(bo.page, quiet)).toBeVisible();
});

test('M4 pinned for a while: both see until when, and it ends by itself', async () => {
  const text = fresh('Lunch is on the roof');
  await say(ana.page, text);
  await act(ana.page, text, /Pin for a while/);
  const dialog = ana.page.getByRole('dialog', { name: 'Pin for how long?' });
  await dialog.getByRole('radio', { name: '1 hour' }).check();
  await dialog.getByRole('button', { name: 'Pin' }).click();

  await expect(message(bo.page, text).getByText(/Pinned by Ana Ribeiro until/)).toBeVisible();
  const id = await asServer()
    .http.call('POST /channels/{type}/{id}/query', { path: place.path, body: { state: true } })
    .then(({ pinned_messages }) => pinned_messages[0]?.id ?? '');
  const soon = new Date(Date.now() + 2000).toISOString();
  await asServer().messages.patch(id, { pinned: true, pin_expires: soon });

  for (const { page } of [ana, bo]) await expect(message(page, text).getByText(/Pinned by/)).toHaveCount(0);
});

test('M4 deleted and restored; and deleted without a trace', async () => {
  const text = fresh('Said in haste');
  await say(ana.page, text);
  await expect(message(bo.page, text)).toBeVisible();
  await act(ana.page, text, /^Delete$/);
  await ana.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(feed(bo.page).getByText('This message was deleted').last()).toBeVisible();
  await expect(message(bo.page, text)).toHaveCount(0);
  await expect(feed(bo.page).getByRole('button', { name: 'Restore' })).toHaveCount(0);

  await feed(ana.page).getByRole('button', { name: 'Restore' }).last().click();
  await expect(message(bo.page, text)).toBeVisible();
  await act(ana.page, text, /^Delete$/);
  await ana.page.getByRole('checkbox', { name: /Also remove the placeholder/ }).check();
  await ana.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();

  await expect(message(bo.page, text)).toHaveCount(0);
  await expect(feed(bo.page).getByText('This message was deleted')).toHaveCount(0);
});

test('M12 a moderator reads the history of a message of another', async ({ browser }) => {
  const text = fresh('We start at nine');
  await say(ana.page, text);
  const edited = text.replace('nine', 'ten');
  await act(ana.page, text, /^Edit$/);
  await composer(ana.page).fill(edited);
  await composer(ana.page).press('Enter');
  await expect(message(bo.page, edited).getByText('edited')).toBeVisible();
  await asServer().channels.update(place.cid, { add_moderators: ['priya'] });
  const priya = await signIn(browser, /Priya Raman/);
  await openConversation(priya.page, place.title);

  await message(priya.page, edited).getByRole('button', { name: 'edited' }).click();
  const dialog = priya.page.getByRole('dialog', { name: 'Edit history' });
  await expect(dialog.locator('del')).toHaveText('nine');
  await expect(dialog.locator('ins')).toHaveText('ten');
  await priya.context.close();
});

test('M4 a message that the server refuses stays in the list with its reason, to be sent again or discarded', async () => {
  const { page } = ana;
  const refusal = { code: 17, name: 'NotAllowed', message: 'Not allowed to send-message', status: 403 };
  await page.route('**/api/channels/*/*/message*', (route) => route.fulfill({ status: 403, json: refusal }));
  const [again, away] = [fresh('Worth saying twice'), fresh('Worth nothing')];
  for (const text of [again, away]) {
    await say(page, text);
    await expect(message(page, text).getByText("Not sent: You can't do that here")).toBeVisible();
  }
  await page.unroute('**/api/channels/*/*/message*');

  await message(page, again).getByRole('button', { name: 'Try again' }).click();
  await expect(message(bo.page, again)).toBeVisible();
  await message(page, away).getByRole('button', { name: 'Delete' }).click();
  await expect(message(page, away)).toHaveCount(0);
});

test('M7 slow mode counts down, a freeze stops: what is typed stays and goes out after', async () => {
  const { page } = bo;
  const server = asServer();
  const [first, second, third] = [fresh('one at a time'), fresh('and the next'), fresh('and the last')];
  await server.channels.patch(place.cid, { cooldown: 4 });
  await say(page, first);
  await expect(
    page.getByRole('main').getByRole('button', { name: /Slow mode: wait \d seconds?/ }),
  ).toBeVisible();
  await composer(page).fill(second);
  await composer(page).press('Enter');
  await expect(composer(page)).toHaveValue(second);
  await expect(page.getByRole('main').getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
  await composer(page).press('Enter');
  await expect(message(ana.page, second)).toBeVisible();

  await server.channels.patch(place.cid, { cooldown: 0 });
  await composer(page).fill(third);
  await server.channels.patch(place.cid, { frozen: true });
  await expect(composer(page)).toBeDisabled();
  await expect(composer(page)).toHaveValue(third);
  await expect(page.getByText('This conversation is frozen: nobody can write.')).toBeVisible();
  await server.channels.patch(place.cid, { frozen: false });
  await expect(composer(page)).toBeEnabled();
  await composer(page).press('Enter');
  await expect(message(ana.page, third)).toBeVisible();
});

test('M7 arrow up edits the own last message, Escape gives back what was typed', async () => {
  const { page } = ana;
  const text = fresh('A small mistake');
  await say(page, text);
  await asServer().messages.send(place.cid, 'ana', { type: 'ephemeral', text: 'psst' });
  await expect(feed(page).getByText('psst')).toBeVisible();
  await composer(page).press('ArrowUp');
  await expect(composer(page)).toHaveValue(text);
  await expect(page.getByText('Editing message')).toBeVisible();
  await composer(page).press('Escape');
  await expect(composer(page)).toHaveValue('');

  await composer(page).press('ArrowUp');
  await composer(page).fill(`${text}, mended`);
  await composer(page).press('Enter');
  await expect(message(bo.page, `${text}, mended`)).toContainText('edited');
});

test('M7 a role of the app is mentioned by its name, from the list', async () => {
  const server = asServer();
  await server.http.call('POST /roles', { body: { name: 'designer' } });
  const become = (role: string) =>
    server.http.call('PATCH /users', { body: { users: [{ id: 'bo', set: { role } }] } });
  await become('designer');
  await expect(async () => {
    await composer(ana.page).fill('');
    await composer(ana.page).pressSequentially('@desi');
    await expect(ana.page.getByRole('option', { name: /designer/ })).toBeVisible({ timeout: 2000 });
  }).toPass();
  await ana.page.keyboard.press('Enter');
  const words = fresh('please look');
  await composer(ana.page).pressSequentially(words);
  await composer(ana.page).press('Enter');

  await expect(message(bo.page, words)).toContainText('@designer');
  const { messages } = await server.http.call('POST /channels/{type}/{id}/query', {
    path: place.path,
    body: { state: true, messages: { limit: 1 } },
  });
  expect(messages[0]?.mentioned_roles).toEqual(['designer']);
  await become('user');
});
