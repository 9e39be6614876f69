import { expect, test } from '@playwright/test';
import {
  asServer,
  composer,
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

test.beforeAll(async ({ browser }) => {
  await asServer().users.upsert([{ id: 'turner', name: '\u202eTurner of words\u2066', role: 'user' }]);
  place = await ownChannel('Hostile', ['turner', 'ana', 'bo']);
  ana = await signIn(browser, /Ana Ribeiro/);
  await openConversation(ana.page, place.title);
});

test.afterAll(() => leave(ana));

test('M4 letters with towers of marks stay inside their own bubble', async () => {
  const { page } = ana;
  const tall = 'Z\u0351\u036b\u0343\u036a\u0302'.repeat(60);
  await asServer().messages.send(place.cid, 'bo', { text: `${tall} end` });
  const after = fresh('a quiet neighbour');
  await asServer().messages.send(place.cid, 'bo', { text: after });
  await expect(message(page, after)).toBeVisible();

  const bubble = message(page, 'end').locator('[dir="auto"]').last().locator('..').locator('..');
  await expect(bubble).toHaveCSS('overflow', 'clip');
  const [above, below] = [await message(page, 'end').boundingBox(), await message(page, after).boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual((below?.y ?? 0) + 1);
});

test('M4 marks that turn the direction turn only their own words: in texts, in names, in quotes', async () => {
  const { page } = ana;
  const turned = fresh('\u202eexe.gpj');
  await asServer().messages.send(place.cid, 'turner', { text: turned });
  const row = message(page, turned);
  await expect(row).toBeVisible();
  const isolated = await row.evaluate((article) => {
    const inside = [...article.querySelectorAll('[dir="auto"]')];
    return inside.every((one) => /isolate|plaintext/.test(getComputedStyle(one).unicodeBidi));
  });
  expect(isolated).toBe(true);

  await row.hover();
  await row.getByRole('button', { name: 'Reply' }).click();
  await expect(page.getByText(/Replying to \u2068\u202eTurner of words\u2069/)).toBeVisible();
  await say(page, fresh('as you say'));
});

test('M4 a text full of names and signs draws quickly, and stays text', async () => {
  const { page } = ana;
  const mark = fresh('many');
  const names = '@Bo Lindqvist '.repeat(1200);
  await asServer().messages.send(place.cid, 'bo', { text: `${mark} ${names}`, mentioned_users: ['bo'] });
  await expect(message(page, mark)).toBeVisible();
  expect(
    await message(page, mark).getByRole('button', { name: '@Bo Lindqvist' }).count(),
  ).toBeLessThanOrEqual(200);

  const signs = fresh('signs');
  await asServer().messages.send(place.cid, 'bo', { text: `${signs} ${'*_`[<b>'.repeat(2500)}` });
  await expect(message(page, signs)).toBeVisible();
  await expect(feed(page).locator('b')).toHaveCount(0);
  await say(page, fresh('still here'));
});

test('M7 a mention of too many is refused before it is sent, in words, and the text stays', async () => {
  const { page } = ana;
  const people = Array.from({ length: 101 }, (_, n) => ({
    id: `extra${n}`,
    name: `Extra ${n} Person`,
    role: 'user',
  }));
  const server = asServer();
  for (const part of [people.slice(0, 100), people.slice(100)]) {
    await server.users.upsert(part);
    await server.channels.addMembers(place.cid, part.map(({ id }) => id) as never);
  }
  await page.reload();
  await openConversation(page, place.title);
  // Whom the composer knows: the members that are loaded, and who has spoken.
  await Promise.all(people.map(({ id }) => server.messages.send(place.cid, id, { text: 'here' })));
  const text = `${people.map(({ name }) => `@${name}`).join(' ')} all of you, please come`;
  await composer(page).fill(text);
  await composer(page).press('Enter');

  await expect(page.getByText('A message can mention at most 100 people.').first()).toBeVisible();
  await expect(composer(page)).toHaveValue(text);
  await composer(page).fill('');
  await say(page, fresh('fewer then'));
});
