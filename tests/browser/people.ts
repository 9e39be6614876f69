import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@parley/client';
import { type AdminClient, createAdminClient } from '@parley/client/admin';
import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { openWindow, type Window, type WindowOptions } from './windows.ts';

/** One person in a browser of their own. */
export type Person = Window;

/** Opens the app as somebody of the demo world. */
export const signIn = async (browser: Browser, name: RegExp, options?: WindowOptions): Promise<Person> => {
  const [window, session] = await Promise.all([openWindow(browser, options), sessionOf(name)]);
  const { page } = window;
  await page.evaluate((value) => localStorage.setItem('parley.session', value), session);
  await page.goto('/');
  await expect(page.getByRole('navigation', { name: 'Conversations' })).toBeVisible();
  return window;
};

type DemoPerson = { id: string; name: string };
let demoPeople: Promise<DemoPerson[]> | undefined;
const listDemoPeople = async (): Promise<DemoPerson[]> => {
  const { apiKey, baseUrl } = product();
  const reply = await fetch(`${baseUrl}/dev/users`, { headers: { 'x-api-key': apiKey } });
  return ((await reply.json()) as { users: DemoPerson[] }).users;
};

/** The storage of a browser in which somebody has signed in before: app.spec.ts shows the sign-in page. */
const sessionOf = async (name: RegExp): Promise<string> => {
  demoPeople ??= listDemoPeople();
  const person = (await demoPeople).find((one) => name.test(one.name));
  if (person === undefined) throw new Error(`Nobody of the demo world is called ${name}`);
  return JSON.stringify({ kind: 'user', id: person.id });
};

/** Ana and Bo, each in a browser of their own. */
export const anaAndBo = async (
  browser: Browser,
  options?: WindowOptions,
): Promise<{ ana: Person; bo: Person }> => {
  const [ana, bo] = await Promise.all([
    signIn(browser, /Ana Ribeiro/, options),
    signIn(browser, /Bo Lindqvist/, options),
  ]);
  return { ana, bo };
};

/** Messages that other files left unread would open a conversation at its first unread message, where nothing new counts as seen. */
export const readAll = async (...names: RegExp[]): Promise<void> => {
  const { apiKey, baseUrl } = product();
  demoPeople ??= listDemoPeople();
  const people = (await demoPeople).filter((one) => names.some((name) => name.test(one.name)));
  for (const { id } of people) {
    const headers = { 'x-api-key': apiKey, authorization: await asServer().createToken(id) };
    const reply = await fetch(`${baseUrl}/channels/read`, { method: 'POST', headers });
    if (!reply.ok) throw new Error(`${id} could not mark their channels read: ${reply.status}`);
  }
};

/** The unread messages and threads of a person, as the server counts them. */
export const unreadOf = async (id: string): Promise<{ messages: number; threads: number }> => {
  const { apiKey, baseUrl } = product();
  const headers = { 'x-api-key': apiKey, authorization: await asServer().createToken(id) };
  const reply = await fetch(`${baseUrl}/unread`, { headers });
  if (!reply.ok) throw new Error(`The unread messages of ${id} were not counted: ${reply.status}`);
  const { total_unread_count, total_unread_threads_count } = await reply.json();
  return { messages: total_unread_count, threads: total_unread_threads_count };
};

/** Ana and Bo with their own conversation open, at its end. */
export const anaAndBoTalking = async (
  browser: Browser,
  options?: WindowOptions,
): Promise<{ ana: Person; bo: Person }> => {
  await readAll(/Ana Ribeiro/, /Bo Lindqvist/);
  const { ana, bo } = await anaAndBo(browser, options);
  await openConversation(ana.page, 'Bo Lindqvist');
  await openConversation(bo.page, 'Ana Ribeiro');
  return { ana, bo };
};

/** Waits for the parts that load after the first screen, and for the code of menus and dialogs, then cuts the network. */
export const goOffline = async (page: Page): Promise<void> => {
  await expect(page.getByRole('button', { name: 'Media and files' })).toBeVisible();
  const hasPopups = () =>
    performance.getEntriesByType('resource').some(({ name }) => /\/popups-.*\.js$/.test(name));
  await expect.poll(() => page.evaluate(hasPopups)).toBe(true);
  await page.context().setOffline(true);
  await expect(page.getByText(/You're offline/)).toBeVisible();
};

export const leave = async (...people: Person[]): Promise<void> => {
  for (const { context } of people) await context.close();
};

/** The entry of the list whose title is exactly this. */
export const conversation = (page: Page, title: string): Locator =>
  page
    .getByRole('navigation', { name: 'Conversations' })
    .locator('a, button')
    .filter({ has: page.getByText(title, { exact: true }) })
    .first();

/** The list comes by the page: scrolls on until the conversation is there. */
const reveal = (page: Page, title: string): Promise<void> =>
  expect(async () => {
    if ((await conversation(page, title).count()) > 0) return;
    // The pointer stands on the list itself: its rows may move while more of them come.
    await page.getByRole('navigation', { name: 'Conversations' }).hover({ timeout: 1000 });
    await page.mouse.wheel(0, 2000);
    expect(await conversation(page, title).count()).toBeGreaterThan(0);
    // A page that the network lost comes with the next try of the app: only the limit of the journey ends the wait.
  }).toPass({ intervals: [100] });

/** Waits for a conversation by its name: right after a step the composer may still be that of the one before. */
export const expectOpen = async (page: Page, title: string): Promise<void> => {
  await expect(page.getByRole('main').getByRole('heading', { name: title, level: 1 })).toBeVisible();
  await expect(composer(page)).toBeVisible();
};

export const openConversation = async (page: Page, title: string): Promise<void> => {
  await reveal(page, title);
  await conversation(page, title).click();
  await expectOpen(page, title);
};

/** Opens the app as somebody of the demo world, in a conversation. */
export const signInAt = async (browser: Browser, name: RegExp, title: string): Promise<Person> => {
  const person = await signIn(browser, name);
  await openConversation(person.page, title);
  return person;
};

/** The channel that is open, as the address names it. */
export const cidOf = (page: Page): string =>
  new URL(page.url()).pathname.split('/').slice(2).map(decodeURIComponent).join(':');

export const composer = (page: Page): Locator => page.getByRole('main').getByRole('textbox');

export const feed = (page: Page): Locator => page.getByRole('main').getByRole('feed');

/** The first article that holds a text: what quotes it comes after. */
export const message = (page: Page, text: string): Locator =>
  feed(page).getByRole('article').filter({ hasText: text }).first();

export const say = async (page: Page, text: string): Promise<void> => {
  await composer(page).fill(text);
  await composer(page).press('Enter');
  await expect(message(page, text)).toBeVisible();
};

/** Opens the message's menu by the keyboard-reachable toolbar and chooses. */
export const act = async (page: Page, text: string, action: RegExp): Promise<void> => {
  const row = message(page, text);
  await pointAt(row);
  const direct = row.getByRole('button', { name: action });
  if (await direct.count()) return direct.first().click();
  await openMenu(row);
  await page.getByRole('menuitem', { name: action }).click();
};

const more = (row: Locator): Locator => row.getByRole('button', { name: 'More actions' });

/** A part that is drawn late above a row moves the row away from under the pointer, and its buttons with it. */
export const pointAt = (row: Locator): Promise<void> =>
  expect(async () => {
    await row.hover();
    await expect(more(row)).toBeVisible({ timeout: 1000 });
  }).toPass();

/** Opens the menu of a message, which stays open though the row should move. A menu that is open may cover the row. */
const openMenu = (row: Locator): Promise<void> =>
  expect(async () => {
    const isThere = (await more(row).count()) > 0;
    if (isThere && (await more(row).getAttribute('aria-expanded')) === 'true') return;
    await row.hover({ timeout: 5000 });
    await more(row).click({ timeout: 5000 });
  }).toPass();

let serial = 0;
/** A text nobody has said before. */
export const fresh = (words: string): string => `${words} ${Date.now().toString(36)}${serial++}`;

/** Begins a channel with people of these names and opens it. */
export const beginChannel = async (page: Page, title: string, names: readonly string[]): Promise<void> => {
  await page.getByRole('button', { name: 'New conversation' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: 'Channel' }).click();
  await dialog.getByRole('textbox', { name: 'Channel name' }).fill(title);
  for (const name of names) {
    await dialog.getByRole('searchbox').fill(name);
    await dialog
      .getByRole('button', { name: new RegExp(name) })
      .first()
      .click();
    await expect(dialog.getByRole('button', { name: `Remove ${name}` })).toBeVisible();
  }
  await dialog.getByRole('button', { name: 'Create channel' }).click();
  await expect(conversation(page, title)).toBeVisible();
  await expect(composer(page)).toBeVisible();
};

export type Place = { title: string; cid: string; path: { type: string; id: string } };

/** A channel of a file's own, so that what is done in it stops nobody else. The first of its members begins it. */
export const ownChannel = async (words: string, members: readonly [string, ...string[]]): Promise<Place> => {
  const title = fresh(words);
  const path = { type: 'team', id: title.toLowerCase().replaceAll(' ', '-') };
  const cid = `${path.type}:${path.id}`;
  const server = asServer();
  const [first] = members;
  await server.channels.create(path.type, path.id, {
    name: title,
    created_by_id: first,
    members: [...members],
  });
  await server.messages.send(cid, first, { text: 'Welcome' });
  return { title, cid, path };
};

const product = () => {
  const { PARLEY_BROWSER_DATA = '', PARLEY_BROWSER_PORT = '' } = process.env;
  const { apiKey, apiSecret } = JSON.parse(readFileSync(join(PARLEY_BROWSER_DATA, 'keys.json'), 'utf8'));
  return { apiKey, secret: apiSecret, baseUrl: `http://127.0.0.1:${PARLEY_BROWSER_PORT}/api` };
};

/** The server's own client, for what no person of the demo world may do. */
// A call for a hundred people takes longer than its usual ten seconds where the cores are busy with other work.
export const asServer = (): AdminClient => createAdminClient({ ...product(), httpTimeout: 60_000 });

/** Somebody comes online without a browser; returns their leaving. */
export const comeOnline = async (id: string): Promise<() => Promise<void>> => {
  const { apiKey, baseUrl } = product();
  const client = createClient({ apiKey, baseUrl });
  await client.connectUser({ id }, await asServer().createToken(id));
  return () => client.disconnect();
};
