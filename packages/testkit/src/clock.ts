import type { Clock } from '@parley/server';

export type TestClock = Clock & {
  /** Moves time on and runs what falls due, in order. */
  advance(ms: number): void;
  /** How long until something falls due: a test waits for that before it moves time on. */
  dueIn(): number;
};

type Timer = { at: number; run: () => void };

/** A clock moved by hand, for the server and for clients. */
export const createTestClock = (start = Date.now()): TestClock => {
  let now = start;
  const timers = new Set<Timer>();
  return {
    now: () => now,
    // Sockets are real: a test that moves the time of day must not make them look silent.
    elapsed: () => performance.now(),
    setTimeout(run, ms) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return { stop: () => timers.delete(timer) };
    },
    dueIn: () => Math.min(...[...timers].map(({ at }) => at - now)),
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const due = [...timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        timers.delete(due);
        now = due.at;
        due.run();
      }
      now = end;
    },
  };
};
