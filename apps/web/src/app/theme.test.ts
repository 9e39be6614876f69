import { expect, test } from 'vitest';
import { showTheme } from './theme.ts';

test('W1 a theme is shown and kept', () => {
  const kept = new Map<string, string>();
  const root = { dataset: {} as DOMStringMap };
  const shelf = { setItem: (key: string, value: string) => void kept.set(key, value) };
  showTheme(shelf, root, 'dark');
  expect([root.dataset.theme, kept.get('parley.theme')]).toEqual(['dark', 'dark']);
  showTheme(shelf, root, 'system');
  expect([root.dataset.theme, kept.get('parley.theme')]).toEqual([undefined, 'system']);
});

test('W1 a theme for which the storage has no room is shown all the same', () => {
  const root = { dataset: {} as DOMStringMap };
  const setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  showTheme({ setItem }, root, 'light');
  expect(root.dataset.theme).toBe('light');
});
