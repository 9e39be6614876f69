import { isLockTimeout, limitLockWait } from '../db/lock-timeout.ts';
import type { Kernel, Tx } from '../kernel/kernel.ts';

/** Runs each due row of a job in a transaction of its own, and returns how many it could run. Rows of a channel that another
 * transaction holds are left for the next look: they must not stop the rows of all other channels. */
export const runEach = async <T extends { cid: string | null }>(
  kernel: Pick<Kernel, 'write'>,
  due: readonly T[],
  run: (tx: Tx, one: T) => Promise<void>,
): Promise<number> => {
  const held = new Set<string | null>();
  let count = 0;
  for (const one of due) {
    if (held.has(one.cid)) continue;
    try {
      await kernel.write(async (tx) => {
        await limitLockWait(tx.db);
        await run(tx, one);
      });
      count += 1;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      held.add(one.cid);
    }
  }
  return count;
};
