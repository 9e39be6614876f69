import { expect, test } from 'vitest';
import { createLru } from './lru.ts';

test('C12 a cache of size zero is refused', () => {
  expect(() => createLru(0)).toThrow('must not be zero');
});

test('C12 the entry used least recently goes first', () => {
  const cache = createLru<string, number>(2);
  cache.set('a', 1);
  cache.set('b', 2);

  cache.get('a');
  cache.set('c', 3);

  expect([cache.peek('a'), cache.peek('b'), cache.peek('c'), cache.size]).toEqual([1, undefined, 3, 2]);
});
