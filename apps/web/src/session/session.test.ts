import { expect, test } from 'vitest';
import { createSessionStore, isEndedBy, personIdFrom } from './session.ts';

const aShelf = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
};

test('a new tab begins with the last person, and may become another without changing the first', () => {
  const browser = aShelf();
  const first = createSessionStore(aShelf(), browser);
  const second = createSessionStore(aShelf(), browser);

  first.save({ kind: 'user', id: 'ana' });
  expect(second.load()).toEqual({ kind: 'user', id: 'ana' });
  second.save({ kind: 'user', id: 'bo' });

  expect(first.load()).toEqual({ kind: 'user', id: 'ana' });
});

test('signing out is for this tab; the browser forgets only the same person', () => {
  const browser = aShelf();
  const first = createSessionStore(aShelf(), browser);
  const second = createSessionStore(aShelf(), browser);
  first.save({ kind: 'user', id: 'ana' });
  second.save({ kind: 'user', id: 'bo' });

  first.clear();

  expect(first.load()).toEqual({ kind: 'user', id: 'bo' });
  second.clear();
  expect(second.load()).toBeUndefined();
});

test('a stored value that is not a session means nobody', () => {
  const tab = aShelf();
  tab.setItem('parley.session', '{"kind":');

  expect(createSessionStore(tab, aShelf()).load()).toBeUndefined();
});

test.each([
  ['José Ángel', /^jose-angel-[a-z0-9]{5}$/],
  ['李', /^person-[a-z0-9]{5}$/],
])('an id for %s', (name, expected) => {
  expect(personIdFrom(name, () => 0.3)).toMatch(expected);
});

test('a sign-out ends the other tabs of the same person, and no others', () => {
  const ana = { kind: 'user', id: 'ana' } as const;
  const change = { key: 'parley.session', oldValue: JSON.stringify(ana), newValue: null };

  expect(isEndedBy(change, ana)).toBe(true);
  expect(isEndedBy(change, { kind: 'user', id: 'bo' })).toBe(false);
  expect(isEndedBy({ ...change, newValue: change.oldValue }, ana)).toBe(false);
  expect(isEndedBy({ ...change, key: 'parley.theme' }, ana)).toBe(false);
});
