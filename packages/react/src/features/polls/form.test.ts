import { pollNotices } from '@parley/client/polls';
import { expect, test } from 'vitest';
import { draftOf, emptyForm, inputOf, moveOption, type PollForm, removeOption, typeOption } from './form.ts';

const createIds = () => {
  let count = 0;
  return () => `o${count++}`;
};
const written = (...texts: string[]): PollForm => {
  const newId = createIds();
  return texts.reduce(
    (form, text, index) => typeOption(form, form.rows[index]?.id ?? '', text, newId),
    emptyForm('Lunch?', newId),
  );
};
const textsOf = ({ rows }: PollForm) => rows.map(({ text }) => text);
const noticesOf = (form: PollForm) => [...pollNotices(draftOf(form)).options.values()];

test('P3 to type in the last row adds a row, and blank rows at the end are no options', () => {
  const form = written('Soup', 'Salad');

  expect(textsOf(form)).toEqual(['Soup', 'Salad', '']);
  expect(inputOf(form).options).toEqual([{ text: 'Soup' }, { text: 'Salad' }]);
  expect(pollNotices(draftOf(form)).isReady).toBe(true);
});

test('P3 an emptied row before others and a repeated one are reported as they are typed', () => {
  const form = written('Soup', 'Salad', 'Bread');
  const emptied = typeOption(form, form.rows[2]?.id ?? '', '', createIds());
  expect(noticesOf(emptied)).toEqual(['Option is empty']);
  expect(noticesOf(written('Soup', ' soup '))).toEqual(['Option already exists']);
  expect(noticesOf(written('Soup', '  '))).toEqual(['Option is empty']);
});

test.each([
  ['1', 'Type a number from 2 to 10'],
  ['', 'Type a number from 2 to 10'],
  ['2.5', 'Type a number from 2 to 10'],
  ['11', 'Type a number from 2 to 10'],
  ['2', undefined],
  ['10', undefined],
])('P3 a limit of "%s" choices', (maxVotes, notice) => {
  const form = { ...written('a', 'b'), isSeveral: true, maxVotes };

  expect(pollNotices(draftOf(form)).maxVotes).toBe(notice);
});

test('P3 a question of spaces is required', () => {
  expect(pollNotices(draftOf({ ...written('a'), name: '  ' }))).toMatchObject({
    name: 'Question is required',
    isReady: false,
  });
});

test('P1 options move among the filled rows; the spare row stays last', () => {
  const form = written('a', 'b', 'c');
  const [first, , third, spare] = form.rows.map(({ id }) => id);

  expect(textsOf(moveOption(form, first ?? '', 2))).toEqual(['b', 'c', 'a', '']);
  expect(textsOf(moveOption(form, third ?? '', 0))).toEqual(['c', 'a', 'b', '']);
  expect(textsOf(moveOption(form, first ?? '', 9))).toEqual(['b', 'c', 'a', '']);
  expect(moveOption(form, spare ?? '', 0)).toBe(form);
  expect(textsOf(removeOption(form, first ?? '', createIds()))).toEqual(['b', 'c', '']);
});
