import { expect, test } from 'vitest';
import { emojiGroups, emojiNamed, findEmojis } from './emoji-data.ts';
import { otherNames } from './emoji-names.ts';

const all = emojiGroups.flatMap(({ emojis }) => emojis);
const charOf = (name: string) => emojiNamed(name)?.char;

test('M7 every emoji is listed once, in a spelling that all systems know', () => {
  expect(all.length).toBeGreaterThan(1800);
  expect(new Set(all.map(({ char }) => char)).size).toBe(all.length);
  expect(all.filter(({ char }) => !/^\p{RGI_Emoji}$/v.test(char))).toEqual([]);
  expect(all.filter(({ name }) => !/^[a-z0-9_+'’-]+$/.test(name)).map(({ name }) => name)).toEqual([]);
});

test('M7 no two emojis have one name', () => {
  const named = Map.groupBy(all, ({ name }) => name);
  expect([...named].filter(([, those]) => those.length > 1).map(([name]) => name)).toEqual([]);
});

test('M7 the groups are in the usual order', () => {
  const order = ['people', 'nature', 'food', 'activity', 'travel', 'objects', 'symbols', 'flags'];
  expect(emojiGroups.map(({ group }) => group)).toEqual(order);
  expect(emojiGroups.map(({ emojis }) => emojis[0]?.char)).toContain('😀');
});

test.each([
  ['smile', '😄'],
  ['+1', '👍'],
  ['thumbsup', '👍'],
  ['thumbs_up', '👍'],
  ['-1', '👎'],
  ['heart', '❤️'],
  ['tada', '🎉'],
  ['rocket', '🚀'],
  ['wave', '👋'],
  ['pizza', '🍕'],
  ['fire', '🔥'],
  ['joy', '😂'],
  ['eyes', '👀'],
  ['mind_blown', '🤯'],
  ['happy', '😀'],
  ['cake', '🎂'],
  ['angel', '😇'],
  ['ROCKET', '🚀'],
])('M7 :%s: is %s', (name, char) => {
  expect(charOf(name)).toBe(char);
});

test('M7 an unknown name is no emoji', () => {
  expect(charOf('constructor')).toBeUndefined();
  expect(charOf('klingon')).toBeUndefined();
});

test('M7 every name of the earlier list still finds an emoji', () => {
  const lines = otherNames.split(';').map((line) => line.trim().split(' '));
  const lost = lines.flatMap(([, ...names]) => names.filter((name) => charOf(name) === undefined));
  expect(lost).toEqual([]);
  const chars = new Set(all.map(({ char }) => char));
  expect(lines.filter(([char = '']) => !chars.has(char))).toEqual([]);
});

test.each([
  ['tad', '🎉'],
  ['wave', '👋'],
  ['pizza', '🍕'],
  ['birthday', '🎂'],
  ['party pop', '🎉'],
  ['germany', '🇩🇪'],
  ['lol', '🤣'],
])('M7 a search for %s finds %s', (query, char) => {
  expect(findEmojis(query, 8).map((emoji) => emoji.char)).toContain(char);
});

test('M7 a search gives no more than its limit, and nothing for an empty query', () => {
  expect(findEmojis('a', 8)).toHaveLength(8);
  expect(findEmojis('  ', 8)).toEqual([]);
  expect(findEmojis('zzzz', 8)).toEqual([]);
});

test('M7 no two emojis have one short name', () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});
