import type { Clock } from '../../lib/clock.ts';

/** A clock that tests move: timers run, in order, once their time has come. */
export const createHandClock = () => {
  let now = 1_000_000;
  const timers = new Set<{ at: number; run(): void }>();
  const clock: Clock = {
    now: () => now,
    elapsed: () => now,
    setTimeout: (run, ms) => {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return { stop: () => void timers.delete(timer) };
    },
  };
  /** Lets promises that are under way settle. */
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    clock,
    /** Milliseconds until each timer, the nearest first. */
    waits: () => [...timers].map(({ at }) => at - now).sort((a, b) => a - b),
    settle,
    advance: async (ms: number): Promise<void> => {
      const end = now + ms;
      for (;;) {
        const [due] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!due) break;
        timers.delete(due);
        now = Math.max(now, due.at);
        due.run();
        await settle();
      }
      now = end;
      await settle();
    },
  };
};
