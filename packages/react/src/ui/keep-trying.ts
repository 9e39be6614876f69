/** Somebody waits in front of the screen. */
const longestMs = 5000;

/** The attempts of all that is not there yet. */
const wanted = new Set<() => void>();

/** Tries all at once: one of them succeeded, the network is back, or somebody came back to the page. */
const tryAll = () => {
  if (!document.hidden) for (const now of wanted) now();
};

export type Tries = {
  /** Tries at once. */
  now: () => void;
  stop: () => void;
};

/**
 * Runs until it succeeds: again after a pause that grows with each failure, and at once when the network is back or somebody
 * comes back to the page. While the page is hidden it is not tried again: nobody waits for it.
 */
export function keepTrying(run: () => Promise<unknown>, onFailed: () => void): Tries {
  let pause = 0;
  let isRunning = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
    wanted.delete(now);
  };
  const attempt = () => {
    clearTimeout(timer);
    if (isRunning) return;
    isRunning = true;
    run().then(
      () => {
        stop();
        tryAll();
      },
      () => {
        isRunning = false;
        if (!wanted.has(now)) return;
        onFailed();
        pause = Math.min(longestMs, pause + 1000);
        timer = setTimeout(() => document.hidden || attempt(), pause);
      },
    );
  };
  const now = () => {
    pause = 0;
    attempt();
  };
  wanted.add(now);
  for (const type of ['online', 'visibilitychange']) addEventListener(type, tryAll);
  attempt();
  return { now, stop };
}
