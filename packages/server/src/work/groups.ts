import type { Kernel } from '../kernel/kernel.ts';

type GroupOptions<T> = {
  /** Items of one key run one after the other, in their order; those of other keys do not wait for them. */
  keyOf(item: T): string;
  run(item: T): Promise<void>;
  /** The most items under way. */
  most: number;
};

/** How long the caller waits for what it began before it looks for more. */
const mostWaitMs = 1000;

/** Items of a due job whose work may wait for a lock: a key whose lock is taken between the claim and the work delays only itself, and
 * takes one connection. What fails is logged, and repeated by the job after its lease. */
export const createGroups = <T>(
  { clock, log }: Pick<Kernel, 'clock'> & { log: Pick<Kernel['log'], 'error'> },
  { keyOf, run, most }: GroupOptions<T>,
) => {
  const underWay = new Map<Promise<void>, number>();
  /** The last that was begun of each key: what begins later waits for it. */
  const lines = new Map<string, Promise<void>>();
  let isStopped = false;
  const runAll = async (items: T[]): Promise<void> => {
    for (const item of items) {
      if (isStopped) return;
      await run(item).catch((error: unknown) =>
        log.error({ err: error, key: keyOf(item) }, 'an item of a job failed'),
      );
    }
  };
  return {
    /** How many more items may begin. */
    get room(): number {
      return Math.max(0, most - [...underWay.values()].reduce((sum, count) => sum + count, 0));
    },
    /** Resolves when all of these have run, or after a second. */
    begin: async (items: T[]): Promise<void> => {
      const begun = [...Map.groupBy(items, keyOf)].map(([key, some]) => {
        const before = lines.get(key) ?? Promise.resolve();
        const running = before
          .then(() => runAll(some))
          .then(() => {
            underWay.delete(running);
            if (lines.get(key) === running) lines.delete(key);
          });
        underWay.set(running, some.length);
        lines.set(key, running);
        return running;
      });
      let stopWaiting = () => {};
      const late = new Promise<void>((resolve) => {
        const timer = clock.setTimeout(() => resolve(), mostWaitMs);
        stopWaiting = () => timer.stop();
      });
      await Promise.race([Promise.all(begun), late]);
      stopWaiting();
    },
    /** Waits for the item under way of each key. Those that wait in line are left to their lease: each may wait long for its lock. */
    stop: async (): Promise<void> => {
      isStopped = true;
      await Promise.all(underWay.keys());
    },
  };
};
