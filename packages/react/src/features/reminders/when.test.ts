import { expect, test } from 'vitest';
import { fromLocalInput, suggestedTime, toLocalInput, whenChoices } from './when.ts';

test.each([
  ['a Wednesday', new Date(2026, 10, 18, 9, 50), 23],
  ['a Sunday', new Date(2026, 10, 22, 9, 50), 23],
  ['a Monday', new Date(2026, 10, 23, 9, 50), 30],
])('P4 the choices on %s', (_title, now, monday) => {
  const [in20, in60, tomorrow, nextWeek] = whenChoices(now).map(({ at }) => at);

  expect([in20?.getMinutes(), in60?.getHours()]).toEqual([10, 10]);
  expect(tomorrow).toEqual(new Date(2026, 10, now.getDate() + 1, 9));
  expect(nextWeek).toEqual(new Date(2026, 10, monday, 9));
});

test('P4 a time goes to the field and back; an empty or cut-off field is no time', () => {
  const at = new Date(2026, 0, 2, 3, 4);

  expect(toLocalInput(at)).toBe('2026-01-02T03:04');
  expect(fromLocalInput(toLocalInput(at))).toEqual(at);
  expect([fromLocalInput(''), fromLocalInput('2026-13-40T99:99')]).toEqual([undefined, undefined]);
  expect(suggestedTime(new Date(2026, 0, 1, 22, 30))).toEqual(new Date(2026, 0, 2, 0));
});
