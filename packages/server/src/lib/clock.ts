/** Time comes in from outside so that tests move it by hand. */
export type Clock = {
  now(): number;
  /** Milliseconds for measuring a duration: they never jump, whatever somebody does to the time of day. */
  elapsed(): number;
  setTimeout(run: () => void, ms: number): { stop(): void };
};

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimeout: (run, ms) => {
    const timer = setTimeout(run, ms);
    timer.unref();
    return { stop: () => clearTimeout(timer) };
  },
};

let lastMs = Number.NaN;
let lastText = '';

/** Within one call the same moment is asked for several times. */
export const isoTime = (ms: number): string => {
  if (ms === lastMs) return lastText;
  lastText = new Date(ms).toISOString();
  lastMs = ms;
  return lastText;
};

/** The later of two times in the format of the wire. */
export const laterOf = (one: string, other: string): string => (one > other ? one : other);
