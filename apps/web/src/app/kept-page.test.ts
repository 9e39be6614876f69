import { expect, test } from 'vitest';
import { createKeptPages, type DrawnPage } from './kept-page.ts';

const hour = 60 * 60 * 1000;
const view = (address: string, innerWidth = 390, language = 'en') => {
  const { pathname, search } = new URL(address, 'http://app');
  return { location: { pathname, search }, navigator: { language }, innerWidth };
};
const drawn = (address: string): DrawnPage => ({
  ...{ address, language: 'en', width: 390, dir: 'ltr' },
  html: `<p>${address}</p>`,
});
const createShelf = () => {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
};
const createPages = (shelf = createShelf(), version = 'app-1', at = 0) =>
  createKeptPages(shelf, version, () => at);

test('W1 a kept page is found at its address, by its user', () => {
  const shelf = createShelf();
  createPages(shelf).write('ana', drawn('/c/team/general?panel=members'));

  expect(createPages(shelf).find('ana', view('/c/team/general?panel=members'))?.html).toContain('general');
  expect(createPages(shelf).find('bo', view('/c/team/general?panel=members'))).toBeUndefined();
  createPages(shelf).remove('ana');
  expect(shelf.items.size).toBe(0);
});

test.each([
  ['at another address', view('/c/team/random')],
  ['with another search', view('/?q=tea')],
  ['in another width', view('/', 1280)],
  ['in another language', view('/', 390, 'ar')],
])('W1 a page is not shown %s', (_, where) => {
  const shelf = createShelf();
  createPages(shelf).write('ana', drawn('/'));
  expect(createPages(shelf).find('ana', view('/'))).toBeDefined();
  expect(createPages(shelf).find('ana', where)).toBeUndefined();
});

test('W1 a page of another version, of yesterday, or one that is damaged is not shown', () => {
  const shelf = createShelf();
  createPages(shelf).write('ana', drawn('/'));

  expect(createPages(shelf, 'app-2').find('ana', view('/'))).toBeUndefined();
  expect(createPages(shelf, 'app-1', 11 * hour).find('ana', view('/'))).toBeDefined();
  expect(createPages(shelf, 'app-1', 13 * hour).find('ana', view('/'))).toBeUndefined();
  for (const text of ['{', '{}', 'null', '{"version":"app-1","at":0,"pages":[{"address":"/"}]}']) {
    shelf.items.set('parley page ana', text);
    expect(createPages(shelf).find('ana', view('/'))).toBeUndefined();
  }
});

test('W1 the list and the last conversation are kept, and nothing where there is no room', () => {
  const shelf = createShelf();
  const pages = createPages(shelf);
  for (const address of ['/c/team/old', '/', '/c/team/new']) pages.write('ana', drawn(address));

  expect(pages.find('ana', view('/'))).toBeDefined();
  expect(pages.find('ana', view('/c/team/new'))).toBeDefined();
  expect(pages.find('ana', view('/c/team/old'))).toBeUndefined();
  pages.write('ana', { ...drawn('/'), html: 'x'.repeat(500_000) });
  expect(shelf.items.size).toBe(0);
  shelf.setItem = () => {
    throw new Error('full');
  };
  expect(() => pages.write('ana', drawn('/'))).not.toThrow();
});
