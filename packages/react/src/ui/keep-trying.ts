/** Somebody waits in front of the screen. */
const longestMs = 5000;
/** Nobody waits, but without its parts the app cannot notify of new messages either. */
const hiddenMs = 60_000;

/** The attempts of all that is not there yet. */
const wanted = new Set<() => void>();

export type Tries = {
  /** Tries at once. */
  now: () => void;
  stop: () => void;
};

/**
 * Runs until it succeeds: again after a pause that grows with each failure, and at once when the network is back, somebody comes
 * back to the page, or another one succeeded. While the page is hidden the pause is a minute.
 */
export function keepTrying(run: () => Promise<unknown>, onFailed: () => void): Tries {
  let pause = 0;
  let isRunning = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new AbortController();
  const stop = () => {
    clearTimeout(timer);
    wanted.delete(now);
    end.abort();
  };
  const attempt = () => {
    if (isRunning) return;
    isRunning = true;
    clearTimeout(timer);
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
        timer = setTimeout(attempt, document.hidden ? hiddenMs : pause);
      },
    );
  };
  const now = () => {
    pause = 0;
    attempt();
  };
  wanted.add(now);
  for (const type of ['online', 'visibilitychange']) addEventListener(type, now, end);
  attempt();
  return { now, stop };
}
