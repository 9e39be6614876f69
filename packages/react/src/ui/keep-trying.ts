const longestMs = 15_000;

export type Tries = {
  /** Tries at once. */
  now: () => void;
  stop: () => void;
};

/** Runs until it succeeds: again after a pause that grows with each failure, and at once when the browser is online again. */
export function keepTrying(run: () => Promise<unknown>, onFailed: () => void): Tries {
  let failures = 0;
  let isRunning = false;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    isOver = true;
    clearTimeout(timer);
    removeEventListener('online', now);
  };
  const attempt = () => {
    if (isRunning || isOver) return;
    isRunning = true;
    run().then(stop, () => {
      isRunning = false;
      if (isOver) return;
      onFailed();
      timer = setTimeout(attempt, Math.min(longestMs, 1000 * 2 ** failures));
      failures += 1;
    });
  };
  const now = () => {
    clearTimeout(timer);
    failures = 0;
    attempt();
  };
  addEventListener('online', now);
  attempt();
  return { now, stop };
}
