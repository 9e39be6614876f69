import { expect, test } from 'vitest';
import { recentOf, remember } from './recent.ts';

const createShelf = (kept?: string) => {
  let value = kept ?? null;
  return {
    getItem: () => value,
    setItem: (_: string, next: string) => {
      value = next;
    },
  };
};

test('W2 the conversation that was open last comes first, once, and those of another user are not shown', () => {
  const shelf = createShelf();
  for (const cid of ['team:a', 'team:b', 'team:a']) remember(shelf, 'ana', cid);

  expect(recentOf(shelf, 'ana')).toEqual(['team:a', 'team:b']);
  expect(recentOf(shelf, 'bo')).toEqual([]);
});

test.each(['null', '{', '{"user":"ana","cids":7}', '[]'])(
  'W2 a shelf that holds %s is an empty one',
  (kept) => {
    expect(recentOf(createShelf(kept), 'ana')).toEqual([]);
  },
);
