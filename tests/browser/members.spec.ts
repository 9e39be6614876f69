import { expect, test } from '@playwright/test';
import {
  anaAndBo,
  asServer,
  beginChannel,
  cidOf,
  comeOnline,
  conversation,
  fresh,
  leave,
  type Person,
  say,
  signIn,
} from './people.ts';

let ana: Person;
let bo: Person;
const name = fresh('Choir');

test.beforeAll(async ({ browser }) => {
  ({ ana, bo } = await anaAndBo(browser));
  await beginChannel(bo.page, name, ['Ana Ribeiro']);
  await say(bo.page, 'Tuesday at eight?');
  await conversation(ana.page, name).click();
});
test.afterAll(() => leave(ana, bo));

const panelOf = ({ page }: Person) => page.getByRole('complementary', { name: 'Members' });
const rowOf = (person: Person, member: string) =>
  panelOf(person).getByRole('listitem').filter({ hasText: member });
const open = ({ page }: Person) => page.getByRole('button', { name: 'Members', exact: true }).click();
const act = async (person: Person, member: string, action: string) => {
  await panelOf(person)
    .getByRole('button', { name: `Actions for ${member}` })
    .click();
  await person.page.getByRole('menuitem', { name: action }).click();
};

test('M14 the panel says who is in it, who is here and what they are, and has its own address', async () => {
  await open(bo);

  await expect(panelOf(bo)).toContainText('2 members');
  await expect(rowOf(bo, 'Bo Lindqvist')).toContainText('Owner');
  await expect(rowOf(bo, 'Ana Ribeiro')).toContainText('Online');
  await expect(bo.page).toHaveURL(/panel=members/);
  await bo.page.reload();
  await expect(panelOf(bo)).toContainText('2 members');
});

test('M14 members that could not be loaded are asked for again', async () => {
  await bo.page.route('**/members/query*', (route) => route.abort());
  await bo.page.reload();
  await expect(panelOf(bo).getByRole('alert')).toBeVisible();
  await expect(rowOf(bo, 'Ana Ribeiro')).toHaveCount(0);

  await bo.page.unroute('**/members/query*');
  await panelOf(bo).getByRole('button', { name: 'Try again' }).click();
  await expect(rowOf(bo, 'Ana Ribeiro')).toBeVisible();
});

test('M14 people are added, raised and removed, and the other sees it as it happens', async () => {
  await open(ana);
  await panelOf(bo).getByRole('button', { name: 'Add people' }).click();
  await panelOf(bo).getByRole('searchbox').fill('Priya');
  await panelOf(bo)
    .getByRole('button', { name: /Priya Raman/ })
    .click();
  await panelOf(bo).getByRole('button', { name: 'Add', exact: true }).click();
  await expect(rowOf(ana, 'Priya Raman')).toBeVisible();
  await expect(panelOf(ana)).toContainText('3 members');

  await act(bo, 'Priya Raman', 'Make moderator');
  await expect(rowOf(ana, 'Priya Raman')).toContainText('Moderator');
  await act(bo, 'Priya Raman', 'Remove as moderator');
  await expect(rowOf(ana, 'Priya Raman')).not.toContainText('Moderator');
  await act(bo, 'Priya Raman', 'Remove');
  await bo.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();

  await expect(rowOf(ana, 'Priya Raman')).toHaveCount(0);
  await expect(panelOf(ana)).toContainText('2 members');
});

test('M14 a moderator is offered what they may do, and nothing to the owner', async ({ browser }) => {
  const kiri = await signIn(browser, /Kiri Paewai/);
  const cid = cidOf(bo.page);
  await asServer().channels.addMembers(cid, ['kiri', 'sam']);
  await asServer().channels.update(cid, { add_moderators: ['kiri'] });
  await conversation(kiri.page, name).click();
  await open(kiri);

  await panelOf(kiri).getByRole('button', { name: 'Actions for Sam Okafor' }).click();
  await expect(kiri.page.getByRole('menuitem')).toHaveText(['Message', 'Make moderator', 'Remove']);
  await kiri.page.keyboard.press('Escape');
  await panelOf(kiri).getByRole('button', { name: 'Actions for Bo Lindqvist' }).click();
  await expect(kiri.page.getByRole('menuitem')).toHaveText(['Message']);
  await kiri.page.keyboard.press('Escape');
  await asServer().channels.update(cid, { demote_moderators: ['kiri'] });
  await asServer().channels.removeMembers(cid, ['kiri', 'sam']);
  await kiri.context.close();
});

test('M14 a member is written to from the panel', async () => {
  await act(ana, 'Bo Lindqvist', 'Message');

  await expect(ana.page.getByRole('main').getByRole('heading', { name: /Bo Lindqvist/ })).toBeVisible();
  await conversation(ana.page, name).click();
});

test('M14 a member who may not change the members is not offered to', async ({ browser }) => {
  const yuki = await signIn(browser, /Yuki Tanabe/);
  await asServer().channels.addMembers(cidOf(bo.page), ['yuki']);
  await conversation(yuki.page, name).click();
  await open(yuki);

  await expect(rowOf(yuki, 'Bo Lindqvist')).toBeVisible();
  await expect(panelOf(yuki).getByRole('button', { name: 'Add people' })).toHaveCount(0);
  await panelOf(yuki).getByRole('button', { name: 'Actions for Bo Lindqvist' }).click();
  await expect(yuki.page.getByRole('menuitem')).toHaveText(['Message']);
  await yuki.context.close();
});

test('M14 a large channel: members come by the page, and a search finds those far down', async () => {
  const users = Array.from({ length: 180 }, (_, index) => {
    const number = String(index + 1).padStart(3, '0');
    return { id: `singer-${number}`, name: `Singer ${number}` };
  });
  for (let from = 0; from < users.length; from += 90) {
    const part = users.slice(from, from + 90);
    await asServer().users.upsert(part);
    await asServer().channels.addMembers(
      cidOf(bo.page),
      part.map(({ id }) => id),
    );
  }
  await bo.page.reload();
  const list = panelOf(bo).getByRole('list', { name: 'Members' });
  await expect(rowOf(bo, 'Singer 001')).toBeVisible();
  await expect(list.getByText('Singer 180')).toHaveCount(0);
  await expect(panelOf(bo)).toContainText('you see how many people read a message, not who');

  await expect(async () => {
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect(list.getByText('Singer 180')).toBeVisible({ timeout: 150 });
  }).toPass();
  await panelOf(bo).getByRole('searchbox', { name: 'Search members' }).fill('Singer 15');

  await expect(list.getByRole('listitem')).toHaveCount(10);
  await panelOf(bo).getByRole('searchbox', { name: 'Search members' }).fill('nobody at all');
  await expect(list).toContainText('Nobody by that name');
});

test('M14 a page of members that does not come holds up no page of a list that began anew', async () => {
  let held = 0;
  await bo.page.route('**/members/query*', async (route) => {
    if (held > 0 || !route.request().postDataJSON().next) return route.fallback();
    held += 1;
  });
  await bo.page.reload();
  const list = panelOf(bo).getByRole('list', { name: 'Members' });
  await expect(rowOf(bo, 'Singer 001')).toBeVisible();
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect.poll(() => held).toBe(1);

  await panelOf(bo).getByRole('searchbox', { name: 'Search members' }).fill('Singer');

  await expect(async () => {
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect(list.getByText('Singer 180')).toBeVisible({ timeout: 150 });
  }).toPass();
  await bo.page.unroute('**/members/query*');
});

test('M14 a next page of members that was lost is asked for alone, and the pages before it stay', async () => {
  const asked: (string | undefined)[] = [];
  let mayCome = 2;
  await bo.page.route('**/members/query*', async (route) => {
    asked.push(route.request().postDataJSON().next);
    await (asked.length > mayCome ? route.abort() : route.fallback());
  });
  await bo.page.reload();
  const list = panelOf(bo).getByRole('list', { name: 'Members' });
  const toItsEnd = () => list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(rowOf(bo, 'Singer 001')).toBeVisible();
  await expect(async () => {
    await toItsEnd();
    await expect(list.getByRole('alert')).toBeVisible({ timeout: 150 });
  }).toPass();
  const lost = asked.at(-1);
  const before = asked.length;

  mayCome = Number.POSITIVE_INFINITY;
  await list.getByRole('button', { name: 'Try again' }).click();

  await expect(list.getByText('Singer 120')).toBeAttached();
  expect(asked[before]).toBe(lost);
  await expect(list.getByText('Singer 001')).toBeAttached();
  await bo.page.unroute('**/members/query*');
});

test('M14 a member far down in a large channel is seen to come online, also after the connection broke', async () => {
  await panelOf(bo).getByRole('searchbox', { name: 'Search members' }).fill('Singer 17');
  await expect(rowOf(bo, 'Singer 178')).toContainText('Offline');
  const first = await comeOnline('singer-178');
  await expect(rowOf(bo, 'Singer 178')).toContainText('Online');
  await expect(rowOf(bo, 'Singer 177')).toContainText('Offline');

  await bo.context.setOffline(true);
  await expect(bo.page.getByText(/You're offline/)).toBeVisible();
  const second = await comeOnline('singer-177');
  await bo.context.setOffline(false);
  await expect(rowOf(bo, 'Singer 177')).toContainText('Online');
  await first();
  await expect(rowOf(bo, 'Singer 178')).toContainText('Offline');
  await second();
});
