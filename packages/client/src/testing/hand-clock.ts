import type { Clock } from '../environment.ts';

/** A clock that moves only when the test moves it. */
export const createHandClock = (start = 0) => {
  let now = start;
  let ids = 0;
  const timers = new Map<number, { at: number; run: () => void }>();
  const nextDue = (until: number) =>
    [...timers].filter(([, { at }]) => at <= until).sort(([, a], [, b]) => a.at - b.at)[0];
  const clock: Clock = {
    now: () => now,
    setTimeout: (run, ms) => {
      ids += 1;
      timers.set(ids, { at: now + ms, run });
      return ids;
    },
    clearTimeout: (timer) => {
      timers.delete(timer as number);
    },
  };
  return {
    ...clock,
    get pending() {
      return timers.size;
    },
    /** Runs what falls due on the way, in order. */
    advance: (ms: number) => {
      const until = now + ms;
      for (let due = nextDue(until); due; due = nextDue(until)) {
        const [id, timer] = due;
        timers.delete(id);
        now = timer.at;
        timer.run();
      }
      now = until;
    },
  };
};
export type HandClock = ReturnType<typeof createHandClock>;
