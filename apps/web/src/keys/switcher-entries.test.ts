import { expect, test } from 'vitest';
import { chosenOf, type Entry, keptKey, sectionsOf } from './switcher-entries.ts';

const entry = (group: Entry['group'], key: string, title: string): Entry => ({
  group,
  key,
  title,
  act: () => {},
});

const entries = [
  entry('conversations', 'team:general', 'general'),
  entry('conversations', 'team:design', 'Design'),
  entry('conversations', 'messaging:bo', 'Bo Lindqvist'),
  entry('people', 'person-zoe', 'Zoë Design'),
  entry('actions', 'action-signOut', 'Sign out'),
  entry('actions', 'action-dark', 'Theme: Dark'),
];
const keysOf = (typed: string, recent: string[] = [], here?: string) =>
  sectionsOf(entries, typed, recent, here).map(({ group, entries: shown }) => [
    group,
    shown.map(({ key }) => key),
  ]);

test('W2 without a word come the conversations that were open last, not the one that is open, and the actions', () => {
  expect(keysOf('', ['team:general', 'messaging:bo', 'team:design'], 'team:general')).toEqual([
    ['recent', ['messaging:bo', 'team:design']],
    ['actions', ['action-signOut', 'action-dark']],
  ]);
});

test('W2 the first is the one that fits best, whatever it is', () => {
  expect(keysOf('sign out')[0]).toEqual(['actions', ['action-signOut']]);
  expect(keysOf('zoe')[0]).toEqual(['people', ['person-zoe']]);
  expect(keysOf('design')[0]).toEqual(['conversations', ['team:design']]);
});

test('W2 of two that fit alike the one that was open last comes first; what fits nothing gives nothing', () => {
  const two = [entry('conversations', 'team:a', 'Boat'), entry('conversations', 'team:b', 'Boot')];
  const [found] = sectionsOf(two, 'bo', ['team:b'], undefined);
  expect(found?.entries.map(({ key }) => key)).toEqual(['team:b', 'team:a']);
  expect(keysOf('qqqq')).toEqual([]);
});

test('W2 the chosen entry stays chosen while more is found, also where a conversation takes the place of a person', () => {
  const [zoe] = entries.filter(({ group }) => group === 'people');
  const found = { ...entry('conversations', 'messaging:zoe', 'Zoë Design'), inPlaceOf: 'person-zoe' };
  const key = keptKey('zoe', zoe);

  expect(key).toBe('person-zoe');
  expect(chosenOf([...entries.slice(0, 2), found], key)).toBe(found);
  expect(chosenOf([entry('people', 'person-zora', 'Zora'), ...entries], key)).toBe(zoe);
  expect(chosenOf(entries.slice(0, 2), key)?.key).toBe('team:general');
});

test('W2 an entry that only has the letters somewhere yields to what fits better, and nothing is kept before a word is typed', () => {
  const [scattered] = sectionsOf([entry('conversations', 'team:gn', 'Garden news')], 'gn', [], undefined);

  expect(scattered?.entries.map(({ key }) => key)).toEqual(['team:gn']);
  expect(keptKey('gn', scattered?.entries[0])).toBeUndefined();
  expect(keptKey(' ', entries[0])).toBeUndefined();
});
