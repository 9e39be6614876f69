import { expect, test } from 'vitest';
import { systemClock } from '../lib/clock.ts';
import { Delays } from './delays.ts';

/** A server whose clock is ahead of that of the database. */
const createServer = (ms: number): Delays => {
  const delays = new Delays({ ...systemClock, now: () => 1_000_000 + ms });
  delays.setClock(1_000_000, 999_990 + ms, 1_000_010 + ms);
  return delays;
};

test('W4 delays are counted by the clock of the database, however far the clocks of two servers are apart', () => {
  const [sender, receiver] = [createServer(30_000), createServer(-30_000)];

  for (const ms of [40, 7000, Number.NaN]) receiver.note(sender.now() - ms);

  const { bounds, counts, sum, count } = receiver.histogram;
  expect(counts[bounds.indexOf(0.05)]).toBe(1);
  expect(counts.at(-1)).toBe(1);
  expect([sum, count]).toEqual([7.04, 2]);
});
