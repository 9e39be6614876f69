import { expect, test } from 'vitest';
import { Elsewhere } from './elsewhere.ts';

const whole = (...userIds: string[]) => ({ userIds, isFirst: true, isLast: true });

test('C7 the list of a server says who came and who went while texts were lost', () => {
  const elsewhere = new Elsewhere();
  elsewhere.add('one', 'ana');
  elsewhere.add('one', 'bo');
  elsewhere.add('two', 'bo');

  expect(elsewhere.list('one', whole('cy'))).toEqual(['cy', 'ana']);
  expect(['ana', 'bo', 'cy'].map((id) => elsewhere.has(id))).toEqual([false, true, true]);
  expect(elsewhere.list('two', whole('bo', 'cy'))).toEqual([]);
});

test('C7 a list in parts holds once it is whole, and not where its beginning was lost', () => {
  const elsewhere = new Elsewhere();
  elsewhere.add('one', 'ana');

  expect(elsewhere.list('one', { userIds: ['bo'], isFirst: false, isLast: true })).toEqual([]);
  expect(elsewhere.list('one', { userIds: ['ana'], isFirst: true, isLast: false })).toEqual([]);
  expect(elsewhere.has('bo')).toBe(false);

  expect(elsewhere.list('one', { userIds: ['bo'], isFirst: false, isLast: true })).toEqual(['bo']);
  expect(elsewhere.drop('one')).toEqual(['ana', 'bo']);
});
