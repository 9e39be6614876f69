import { expect, test } from 'vitest';
import { parseReminder } from './parse-when.ts';

/** A Wednesday, a little before ten, wherever the test runs. */
const now = new Date(2026, 10, 18, 9, 50);
const on = (day: number, hours: number, minutes = 0) => new Date(2026, 10, day, hours, minutes);

test.each<[string, Date, string]>([
  ['in 20 minutes look at the build', on(18, 10, 10), 'look at the build'],
  ['me in 20 minutes to look at the build', on(18, 10, 10), 'look at the build'],
  ['20m tea', on(18, 10, 10), 'tea'],
  ['in an hour', on(18, 10, 50), ''],
  ['in half an hour call', on(18, 10, 20), 'call'],
  ['1h 30m stand-up', on(18, 11, 20), 'stand-up'],
  ['in 2 days and 1 hour water the plants', on(20, 10, 50), 'water the plants'],
  ['tomorrow', on(19, 9), ''],
  ['tomorrow 9:30 send the report', on(19, 9, 30), 'send the report'],
  ['tomorrow at 5pm about the keys', on(19, 17), 'the keys'],
  ['tonight buy milk', on(18, 20), 'buy milk'],
  ['at 17 go home', on(18, 17), 'go home'],
  ['9:00 too late today', on(19, 9), 'too late today'],
  ['12:15 am sleep', on(19, 0, 15), 'sleep'],
  ['friday 14:00 review', on(20, 14), 'review'],
  ['next wednesday retro', on(25, 9), 'retro'],
  ['next week plan', on(23, 9), 'plan'],
  ['2026-12-24 18:00 presents', new Date(2026, 11, 24, 18), 'presents'],
  ['look at the build in 20 minutes', on(18, 10, 10), 'look at the build'],
  ['me to ask 3 people tomorrow at 10:00', on(19, 10), 'ask 3 people'],
])('P4 "%s"', (text, at, note) => {
  expect(parseReminder(text, now)).toEqual({ at, note });
});

test.each([
  ['', 'remindNeedsTime'],
  ['me', 'remindNeedsTime'],
  ['look at the build', 'remindNeedsTime'],
  ['2 things', 'remindNeedsTime'],
  ['in some time', 'remindNeedsTime'],
  ['someday do it', 'remindNeedsTime'],
  ['25:00 what', 'remindNeedsTime'],
  ['2026-02-30 never', 'remindNeedsTime'],
  ['in 0 minutes', 'remindPast'],
  ['2020-01-01 then', 'remindPast'],
  ['today at 9:00 gone', 'remindPast'],
  ['in 9999 weeks', 'remindTooFar'],
])('P4 "%s" is refused: %s', (text, problem) => {
  expect(parseReminder(text, now)).toEqual({ problem });
});
