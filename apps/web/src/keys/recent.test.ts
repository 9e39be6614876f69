import { expect, test } from 'vitest';
import { forgetPerson } from '../session/forget-person.ts';
import { recentOf, remember } from './recent.ts';

const createShelf = (kept?: string) => {
  const values = new Map(kept === undefined ? [] : [['parley recent ana', kept]]);
  return {
    get length() {
      return values.size;
    },
    key: (index: number) => [...values.keys()][index] ?? null,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, next: string) => void values.set(key, next),
    removeItem: (key: string) => void values.delete(key),
  };
};

test('W2 the conversation that was open last comes first, once, and those of another user are not shown', () => {
  const shelf = createShelf();
  for (const cid of ['team:a', 'team:b', 'team:a']) remember(shelf, 'ana', cid);
  remember(shelf, 'bo', 'team:c');

  expect(recentOf(shelf, 'ana')).toEqual(['team:a', 'team:b']);
  expect(recentOf(shelf, 'bo')).toEqual(['team:c']);
});

test('W1 a sign-out forgets them, also while others are signed in', () => {
  const shelf = createShelf();
  for (const user of ['ana', 'bo']) remember(shelf, user, 'team:a');
  forgetPerson({ kind: 'user', id: 'ana' }, shelf, true);

  expect([recentOf(shelf, 'ana'), recentOf(shelf, 'bo')]).toEqual([[], ['team:a']]);
});

test('W2 a storage that is full stops nothing', () => {
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error('QuotaExceededError');
    },
  };
  expect(() => remember(full, 'ana', 'team:a')).not.toThrow();
});

test.each(['null', '{', '{"user":"ana","cids":7}', '[]'])(
  'W2 a shelf that holds %s is an empty one',
  (kept) => {
    expect(recentOf(createShelf(kept), 'ana')).toEqual([]);
  },
);
