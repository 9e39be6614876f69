import { expect, test } from 'vitest';
import { createLru } from './lru.ts';

test('C12 a full cache keeps what is in use, forgets the rest, and never holds more than its size', () => {
  const cache = createLru<number>(4);
  cache.set('used', 0);
  for (let index = 0; index < 100; index++) {
    cache.set(`more ${index}`, index);
    expect(cache.get('used')).toBe(0);
    expect(cache.get(`more ${index}`)).toBe(index);
    expect(cache.size).toBeLessThanOrEqual(4);
  }
  expect(cache.get('more 90')).toBeUndefined();
});

test('C12 a key that is set again takes no second place', () => {
  const cache = createLru<number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.set('a', 3);

  expect([cache.get('a'), cache.get('b'), cache.size]).toEqual([3, 2, 2]);
});

test('C12 a deleted or cleared entry is gone, however old it is', () => {
  const cache = createLru<number>(4);
  for (const key of ['a', 'b', 'c']) cache.set(key, 1);

  expect([cache.delete('a'), cache.delete('c'), cache.delete('c')]).toEqual([true, true, false]);
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([undefined, 1, undefined]);
  cache.clear();
  expect([cache.get('b'), cache.size]).toEqual([undefined, 0]);
});
