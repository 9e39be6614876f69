import { expect, test } from 'vitest';
import { isoTime } from '../lib/clock.ts';
import { createDueJob } from './due-job.ts';
import { createHandClock } from './testing/hand-clock.ts';

const quiet = { error: () => undefined };

/** A job over a list of times; `isHeld` keeps it from taking any. */
const startJob = () => {
  const hand = createHandClock();
  const rows: number[] = [];
  const done: number[] = [];
  const state = { looks: 0, isHeld: false, fails: false };
  const job = createDueJob(
    { clock: hand.clock, log: quiet },
    {
      name: 'test',
      next: async () => (rows.length > 0 ? isoTime(Math.min(...rows)) : undefined),
      run: async () => {
        state.looks += 1;
        if (state.fails) throw new Error('no database');
        const index = state.isHeld ? -1 : rows.findIndex((at) => at <= hand.clock.now());
        if (index >= 0) done.push(...rows.splice(index, 1));
        return index >= 0;
      },
    },
  );
  const add = (inMs: number) => {
    rows.push(hand.clock.now() + inMs);
    job.wake(isoTime(hand.clock.now() + inMs));
  };
  const stop = job.start();
  return { ...hand, rows, done, state, add, stop };
};

test('P4 a due job runs each row at its time, and an idle one looks every five seconds', async () => {
  const { advance, settle, waits, done, state, add, stop } = startJob();
  await settle();
  expect([state.looks, waits()]).toEqual([1, [5000]]);

  add(1500);
  add(700);
  expect(waits()).toEqual([700]);
  await advance(699);
  expect(done).toHaveLength(0);
  await advance(1);
  expect([done.length, waits()]).toEqual([1, [800]]);
  await advance(800);
  expect([done.length, waits()]).toEqual([2, [5000]]);

  const before = state.looks;
  await advance(20_000);
  expect(state.looks - before).toBe(4);
  await stop();
  expect(waits()).toEqual([]);
});

test('P4 rows that nobody announced are found within five seconds', async () => {
  const { advance, settle, rows, done, clock, stop } = startJob();
  await settle();
  rows.push(clock.now() + 100);
  await advance(5000);
  expect(done).toHaveLength(1);
  await stop();
});

test('P4 rows that stay overdue are tried after longer and longer, up to a second; the next one at once', async () => {
  const { advance, settle, waits, done, state, add, stop } = startJob();
  await settle();
  state.isHeld = true;
  add(10);
  await advance(10);
  const pauses: number[] = [];
  for (let tries = 0; tries < 7; tries += 1) {
    const [pause = 0] = waits();
    pauses.push(pause);
    await advance(pause);
  }
  expect(pauses).toEqual([50, 100, 200, 400, 800, 1000, 1000]);
  state.isHeld = false;
  add(0);
  await advance(0);
  expect(done).toHaveLength(2);
  await stop();
});

test('P4 a job that fails is tried again after a second', async () => {
  const { advance, settle, waits, done, state, add, stop } = startJob();
  await settle();
  state.fails = true;
  add(10);
  await advance(10);
  expect(waits()).toEqual([1000]);
  state.fails = false;
  await advance(1000);
  expect(done).toHaveLength(1);
  await stop();
});
