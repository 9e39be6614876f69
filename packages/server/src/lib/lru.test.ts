import { expect, test } from 'vitest';
import { createLru } from './lru.ts';

test('C12 a full cache forgets what was used longest ago, and never holds more than its size', () => {
  const cache = createLru<number>(3);
  for (const [index, key] of ['a', 'b', 'c'].entries()) cache.set(key, index);
  cache.get('a');

  cache.set('d', 3);

  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual([0, undefined, 2, 3]);
  for (let index = 0; index < 100; index++) cache.set(`more ${index}`, index);
  expect(cache.size).toBe(3);
});

test('C12 a key that is set again takes no second place', () => {
  const cache = createLru<number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.set('a', 3);

  expect([cache.get('a'), cache.get('b'), cache.size]).toEqual([3, 2, 2]);
});
