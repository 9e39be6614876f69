import type { Kernel } from '../kernel.ts';

/** Work that falls due at times kept in the database, done by whichever server comes first. */
export type DueWork = {
  name: string;
  /** When the next falls due; undefined when nothing waits. */
  next(): Promise<string | undefined>;
  /** Does a part of what is due. True when there may be more. */
  run(): Promise<boolean>;
};

export type DueJob = {
  /** Something falls due at this time: looks then, if not before. */
  wake(at: string): void;
  /** Returns its stop, which waits for the part under way. */
  start(): () => Promise<void>;
};

/** What another server took in and died with is found after this long. */
const longestWaitMs = 5000;
/** What is due and held by another server: it is done there, and soon. */
const shortestWaitMs = 50;
const afterFailureMs = 1000;

/** Sleeps until the next falls due instead of asking again and again. */
export const createDueJob = ({ clock, log }: Pick<Kernel, 'clock' | 'log'>, work: DueWork): DueJob => {
  let isStopped = true;
  let running: Promise<void> | undefined;
  let timer: { at: number; stop(): void } | undefined;
  /** The earliest time somebody named while a part was under way. */
  let named = Number.POSITIVE_INFINITY;

  const sleepUntil = (at: number): void => {
    if (isStopped) return;
    timer?.stop();
    const { stop } = clock.setTimeout(turn, Math.max(0, at - clock.now()));
    timer = { at, stop };
  };

  const goOn = async (): Promise<number> => {
    while (!isStopped && (await work.run())) named = Number.POSITIVE_INFINITY;
    const next = await work.next();
    const now = clock.now();
    if (next === undefined) return now + longestWaitMs;
    return Math.min(now + longestWaitMs, Math.max(now + shortestWaitMs, Date.parse(next)));
  };

  const turn = (): void => {
    if (isStopped || running) return;
    timer = undefined;
    named = Number.POSITIVE_INFINITY;
    running = goOn()
      .catch((error: unknown) => {
        log.error({ err: error, job: work.name }, 'a job failed');
        return clock.now() + afterFailureMs;
      })
      .then((at) => {
        running = undefined;
        sleepUntil(Math.min(at, named));
      });
  };

  return {
    wake: (at) => {
      const ms = Date.parse(at);
      if (running) named = Math.min(named, ms);
      else if (!timer || ms < timer.at) sleepUntil(ms);
    },
    start: () => {
      isStopped = false;
      turn();
      return async () => {
        isStopped = true;
        timer?.stop();
        await running;
      };
    },
  };
};
