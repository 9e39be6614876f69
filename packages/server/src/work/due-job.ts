import type { Kernel } from '../kernel/kernel.ts';

/** The due job: work that falls due at times kept in the database, such as reminders, expiries and scheduled sends.
 *
 * - Across servers: every server runs the job; rows are shared by the claim in `run` (`for update skip locked`, or a second
 *   look at the row under its lock). The job itself takes no lock.
 * - Once, if `run` writes the effect and "it is done" in one transaction. At least once, if the effect is outside the
 *   database: claim with a lease and repeat what the lease outlived (see `scheduled-messages/sending-job.ts`).
 * - Durable: nothing is kept in memory except the time of the next look. After kill -9 another server, or this one after
 *   its restart, finds what is due within five seconds.
 * - On time: it sleeps until `next`, and `wake` moves that forward. Idle it costs one query every five seconds.
 * - A run that throws is logged and repeated after a second. Rows that stay overdue because somebody holds them are tried
 *   again after 50 ms, then after twice as long each time, up to one second. */
export type DueWork = {
  name: string;
  /** The time of the earliest row; undefined when nothing waits. It must skip rows that `run` will not take. */
  next(): Promise<string | undefined>;
  /** Does a part of what is due. True when it did something and there may be more. */
  run(): Promise<boolean>;
};

export type DueJob = {
  /** Something falls due at this time: the job looks then, if not before. */
  wake(at: string): void;
  /** Returns its stop, which waits for the part under way. */
  start(): () => Promise<void>;
};

/** The job finds rows that another server stored after this long at most. */
const longestWaitMs = 5000;
const shortestWaitMs = 50;
const longestHeldWaitMs = 1000;
const afterFailureMs = 1000;

/** How long to wait for overdue rows: other servers work on them, or a transaction holds them. */
const createOverdueWait = () => {
  let last: string | undefined;
  let waitMs = shortestWaitMs;
  return (next: string): number => {
    waitMs = next === last ? Math.min(longestHeldWaitMs, waitMs * 2) : shortestWaitMs;
    last = next;
    return waitMs;
  };
};

export const createDueJob = (
  { clock, log }: Pick<Kernel, 'clock'> & { log: Pick<Kernel['log'], 'error'> },
  work: DueWork,
): DueJob => {
  let isStopped = true;
  let running: Promise<void> | undefined;
  let timer: { at: number; stop(): void } | undefined;
  /** The earliest time that `wake` named while a part was under way. */
  let wokenAt = Number.POSITIVE_INFINITY;
  const overdueWait = createOverdueWait();

  const sleepUntil = (at: number): void => {
    if (isStopped) return;
    timer?.stop();
    const { stop } = clock.setTimeout(turn, Math.max(0, at - clock.now()));
    timer = { at, stop };
  };

  /** Does all that is due and returns when to look again. */
  const drain = async (): Promise<number> => {
    while (!isStopped && (await work.run())) wokenAt = Number.POSITIVE_INFINITY;
    const next = await work.next();
    const now = clock.now();
    if (next === undefined) return now + longestWaitMs;
    const at = Date.parse(next);
    return at <= now ? now + overdueWait(next) : Math.min(now + longestWaitMs, at);
  };

  const turn = (): void => {
    if (isStopped || running) return;
    timer = undefined;
    wokenAt = Number.POSITIVE_INFINITY;
    running = drain()
      .catch((error: unknown) => {
        log.error({ err: error, job: work.name }, 'a job failed');
        return clock.now() + afterFailureMs;
      })
      .then((at) => {
        running = undefined;
        sleepUntil(Math.min(at, wokenAt));
      });
  };

  return {
    wake: (at) => {
      const ms = Date.parse(at);
      if (running) wokenAt = Math.min(wokenAt, ms);
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
