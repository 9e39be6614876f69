import { expect, test } from 'vitest';
import { at, aUser } from '../testing/records.ts';
import { advanceRead, allMarks, findMark, putMark, removeMark } from './read-state.ts';
import type { ReadMarks } from './state.ts';

const mark = (id: string, number: number) => ({ user: aUser(id), last_read_number: number });
const many = (count: number) => Array.from({ length: count }, (_, index) => `u${index}`);
const numbers = (marks: ReadMarks) =>
  Object.entries(allMarks(marks)).map(([id, { last_read_number }]) => `${id} ${last_read_number}`);

test('S11 each user has the mark that was put last, whoever moved in between', () => {
  const start = many(100).map((id) => mark(id, 0));

  const once = many(100).reduce((marks, id) => putMark(marks, mark(id, 1)), start);
  const twice = many(50).reduce((marks, id) => putMark(marks, mark(id, 2)), once);

  expect(numbers(twice).sort()).toEqual(
    many(100)
      .map((id, index) => `${id} ${index < 50 ? 2 : 1}`)
      .sort(),
  );
  expect(findMark({ marks: twice }, 'u49')?.last_read_number).toBe(2);
  expect(numbers(start)).toEqual(many(100).map((id) => `${id} 0`));
});

test('the record of all marks is made once for the same marks', () => {
  const start = many(3).map((id) => mark(id, 0));
  const next = putMark(start, mark('u1', 1));

  expect(allMarks(next)).toBe(allMarks(next));
  expect(numbers(next)).toEqual(['u0 0', 'u1 1', 'u2 0']);
  expect(next[0]).toBe(start[0]);
});

test('S19 a removed mark is gone, whether it moved lately or not', () => {
  const marks = putMark([mark('ann', 0), mark('bea', 0)], mark('ann', 1));

  expect(numbers(removeMark(marks, 'ann'))).toEqual(['bea 0']);
  expect(numbers(removeMark(marks, 'bea'))).toEqual(['ann 1']);
});

test('S11 a mark that does not move forward changes nothing', () => {
  const marks = [{ ...mark('ann', 3), last_read: at(3) }];
  const progress = { number: 3, at: at(3), messageId: undefined };

  expect(advanceRead({ marks }, aUser('ann'), progress)).toBe(marks);
  expect(advanceRead({ marks }, aUser('ann'), { ...progress, number: 2, at: at(9) })).toBe(marks);
});
