import { expect, test } from 'vitest';
import { ensureStorage } from './ensure-storage.ts';

test('W1 a browser that stores nothing gets a storage that lasts as long as the page', () => {
  const page = {
    get localStorage(): Storage {
      throw new DOMException('Access is denied', 'SecurityError');
    },
    sessionStorage: { getItem: () => 'kept' } as unknown as Storage,
  };
  ensureStorage(page, 'localStorage');
  ensureStorage(page, 'sessionStorage');

  page.localStorage.setItem('a', '1');
  page.localStorage.setItem('b', '2');
  page.localStorage.removeItem('a');
  expect([page.localStorage.length, page.localStorage.key(0), page.localStorage.getItem('b')]).toEqual([
    ...[1, 'b', '2'],
  ]);
  page.localStorage.clear();
  expect([page.localStorage.length, page.localStorage.key(0), page.localStorage.getItem('b')]).toEqual([
    ...[0, null, null],
  ]);
  expect(page.sessionStorage.getItem('a')).toBe('kept');
});
