/** Somebody waits in front of the screen. */
const longestMs = 5000;

/** The attempts of all that is not there yet: when one of them succeeds, the others are tried at once. */
const wanted = new Set<() => void>();

export type Tries = {
  /** Tries at once. */
  now: () => void;
  stop: () => void;
};

/** Runs until it succeeds: again after a pause that grows with each failure, and at once when the network is back. */
export function keepTrying(run: () => Promise<unknown>, onFailed: () => void): Tries {
  let pause = 0;
  let isRunning = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
    wanted.delete(now);
    removeEventListener('online', now);
  };
  const attempt = () => {
    clearTimeout(timer);
    if (isRunning) return;
    isRunning = true;
    run().then(
      () => {
        stop();
        for (const other of wanted) other();
      },
      () => {
        isRunning = false;
        if (!wanted.has(now)) return;
        onFailed();
        pause = Math.min(longestMs, pause + 1000);
        timer = setTimeout(attempt, pause);
      },
    );
  };
  const now = () => {
    pause = 0;
    attempt();
  };
  wanted.add(now);
  addEventListener('online', now);
  attempt();
  return { now, stop };
}
