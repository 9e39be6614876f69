import { expect, type Page, test } from '@playwright/test';
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
  pointAt,
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

/** How many pixels differ to the eye; edges of letters may be rounded otherwise from one drawing to the next. */
const differences = (page: Page, ...pictures: [Buffer, Buffer]): Promise<number> =>
  page.evaluate(
    async (texts) => {
      const [a = [], b = []] = await Promise.all(
        texts.map(async (text) => {
          const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
          const image = await createImageBitmap(new Blob([bytes]));
          const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
          context?.drawImage(image, 0, 0);
          return [...(context?.getImageData(0, 0, image.width, image.height).data ?? [])];
        }),
      );
      return a.filter((value, at) => Math.abs(value - (b[at] ?? 0)) > 8).length;
    },
    pictures.map((picture) => picture.toString('base64')),
  );

test('M4 letters with towers of marks are drawn over no neighbour', async () => {
  const { page } = ana;
  const towers = `Z${'\u0351\u036b\u0343\u036a\u0302\u0323\u0316'.repeat(20)}`.repeat(12);
  const [above, below] = [fresh('a quiet neighbour'), fresh('another one')];
  for (const text of [above, `${towers} end`, below])
    await asServer().messages.send(place.cid, 'bo', { text });
  await expect(message(page, below)).toBeInViewport();
  await page.mouse.move(0, 0);
  const draw = () =>
    Promise.all([above, below].map((text) => message(page, text).screenshot({ animations: 'disabled' })));
  const withTowers = await draw();
  const words = message(page, 'end').locator('[dir="auto"]').last();
  await words.evaluate((element) => element.style.setProperty('visibility', 'hidden'));
  const without = await draw();

  for (const [index, picture] of withTowers.entries())
    expect(await differences(page, picture, without[index] ?? picture)).toBe(0);
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
  // The composer knows the members that are loaded, and the authors of messages.
  await Promise.all(people.map(({ id }) => server.messages.send(place.cid, id, { text: 'here' })));
  const text = `${people.map(({ name }) => `@${name}`).join(' ')} all of you, please come`;
  await composer(page).fill(text);
  await composer(page).press('Enter');

  await expect(page.getByText('You can mention up to 100 people in a message.').first()).toBeVisible();
  await expect(composer(page)).toHaveValue(text);
  await composer(page).fill('');
  await say(page, fresh('fewer then'));
});

test('M4 a part whose menu entries fail leaves the other entries, the message and the composer usable', async ({
  browser,
}) => {
  const { page, context } = await signIn(browser, /Bo Lindqvist/);
  const broken: string[] = [];
  await page.route(/\/assets\/.*\.js/, async (route) => {
    const reply = await route.fetch();
    const text = await reply.text();
    const body = text.replace(/id:(["'`])(remind|location)\1/g, (_, _quote, id) => {
      broken.push(id);
      return `id:(() => { throw new Error('broken'); })()`;
    });
    await route.fulfill({ response: reply, body });
  });
  await page.reload();
  await openConversation(page, place.title);
  const text = fresh('Still usable');
  await say(page, text);

  await pointAt(message(page, text));
  await message(page, text).getByRole('button', { name: 'More actions' }).click();

  await expect(page.getByRole('menuitem', { name: 'Mark as unread' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Message info' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Remind me…' })).toHaveCount(0);
  await page.getByRole('menuitem', { name: /^Reply$/ }).click();
  await say(page, fresh('An answer'));
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('menuitem', { name: 'Create a poll' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Share location' })).toHaveCount(0);
  expect(broken).toEqual(expect.arrayContaining(['remind', 'location']));
  await context.close();
});
