import { expect, test } from 'vitest';
import { isUnreadBelow, neighbourOf } from './neighbours.ts';

const loaded = (...counts: number[]) => counts.map((unread) => ({ unread, channel: {} }));

test('W2 the next unread conversation is looked for below the loaded ones only while one is there', () => {
  expect(isUnreadBelow(loaded(2, 0), { total: 5, archived: 0 }, undefined)).toBe(true);
  expect(isUnreadBelow(loaded(2, 3), { total: 5, archived: 0 }, undefined)).toBe(false);
});

test('W2 unread messages of the archive, of hidden and of muted conversations load no page of the list', () => {
  expect(isUnreadBelow(loaded(2), { total: 5, archived: 3 }, undefined)).toBe(false);
  expect(isUnreadBelow(loaded(1), { total: 5, archived: 3 }, 'archived')).toBe(true);
  expect(isUnreadBelow(loaded(3), { total: 5, archived: 3 }, 'archived')).toBe(false);
  expect(isUnreadBelow([], { total: 5, archived: 3 }, 'hidden')).toBe(false);
  const muted = { unread: 9, channel: { muted: true } };
  expect(isUnreadBelow([...loaded(2), muted], { total: 5, archived: 0 }, undefined)).toBe(true);
});

test('W2 the neighbour is the next in one direction, and there is none at the end', () => {
  const cids = ['a', 'b', 'c'];
  expect(neighbourOf(cids, 'a', 1)).toBe('b');
  expect(neighbourOf(cids, 'c', 1)).toBeUndefined();
  expect(neighbourOf(cids, 'c', -1, (cid) => cid === 'a')).toBe('a');
  expect(neighbourOf(cids, undefined, -1)).toBe('c');
});
