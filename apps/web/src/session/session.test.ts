import { expect, test } from 'vitest';
import { createSessionStore, personIdFrom } from './session.ts';

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
  const [ana, bo] = [
    { kind: 'user', id: 'ana' },
    { kind: 'user', id: 'bo' },
  ] as const;
  first.save(ana);
  second.save(bo);

  first.clear(ana);

  expect(first.load()).toEqual(bo);
  // Pressed twice, or by another tab at the same time.
  first.clear(ana);
  expect([second.load(), second.isEnded(bo)]).toEqual([bo, false]);
  second.clear(bo);
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
  const browser = aShelf();
  const ana = { kind: 'user', id: 'ana' } as const;
  const bo = { kind: 'user', id: 'bo' } as const;
  const impersonated = { kind: 'token', id: 'ana', token: 't' } as const;
  const tabs = Array.from({ length: 4 }, () => createSessionStore(aShelf(), browser));
  for (const [index, session] of [ana, ana, bo, impersonated].entries()) tabs[index]?.save(session);

  tabs[0]?.clear(ana);

  expect([ana, bo, impersonated].map((session) => tabs[1]?.isEnded(session))).toEqual([true, false, false]);
});

test('a tab that slept through a sign-out does not come back as that person', () => {
  const browser = aShelf();
  const asleep = createSessionStore(aShelf(), browser);
  const awake = createSessionStore(aShelf(), browser);
  asleep.save({ kind: 'guest', id: 'g', name: 'Gil' });
  awake.save({ kind: 'guest', id: 'g', name: 'Gil' });
  awake.clear({ kind: 'guest', id: 'g', name: 'Gil' });

  expect(asleep.load()).toBeUndefined();
  expect(asleep.isInUse()).toBe(false);
});

test('a session of a version that kept no list is not ended by the sign-in of somebody else', () => {
  const browser = aShelf();
  const ana = { kind: 'user', id: 'ana' } as const;
  browser.setItem('parley.session', JSON.stringify(ana));
  const first = createSessionStore(aShelf(), browser);
  expect(first.load()).toEqual(ana);
  createSessionStore(aShelf(), browser).save({ kind: 'user', id: 'bo' });

  expect(first.isEnded(ana)).toBe(false);
});

test('a storage that is full refuses no sign-in, and leaves no other person to the next tab', () => {
  const browser = aShelf();
  const [ana, bo] = [
    { kind: 'user', id: 'ana' },
    { kind: 'user', id: 'bo' },
  ] as const;
  createSessionStore(aShelf(), browser).save(ana);
  browser.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  const store = createSessionStore(aShelf(), browser);

  store.save(bo);

  expect(store.isEnded(bo)).toBe(false);
  expect(createSessionStore(aShelf(), browser).load()).toBeUndefined();
  store.clear(bo);
  expect(store.isEnded(bo)).toBe(true);
});
