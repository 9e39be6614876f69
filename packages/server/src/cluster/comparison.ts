import type { Clock } from '../lib/clock.ts';

type Deps = { clock: Clock; run(): Promise<void>; onError(error: unknown): void };

/** While servers are silent, the logs of all followed channels are looked at this often. */
const pauseMs = 500;

/** Runs now, or after the pause since the last run: who starts it meanwhile is served by the next. */
export const createComparison = ({ clock, run, onError }: Deps) => {
  let running: Promise<void> | undefined;
  let timer: { stop(): void } | undefined;
  let isWanted = false;
  let isStopped = false;

  const begin = (): void => {
    timer = undefined;
    if (!isWanted || isStopped) return;
    isWanted = false;
    running = run()
      .catch(onError)
      .finally(() => {
        running = undefined;
        if (!isStopped) timer = clock.setTimeout(begin, pauseMs);
      });
  };

  return {
    start: (): void => {
      isWanted = true;
      if (!running && !timer) begin();
    },
    stop: async (): Promise<void> => {
      isStopped = true;
      timer?.stop();
      await running;
    },
  };
};
