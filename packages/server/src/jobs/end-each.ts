import { sql } from 'kysely';
import { isLockTimeout } from '../db/lock-timeout.ts';
import type { Kernel, Tx } from '../kernel.ts';

/** Ends what is due, each in a transaction of its own. What stands in a channel that another transaction holds is left for
 * the next round: it must not stop the ends in all other channels. */
export const endEach = async <T extends { cid: string | null }>(
  kernel: Kernel,
  due: readonly T[],
  end: (tx: Tx, one: T) => Promise<void>,
): Promise<void> => {
  const held = new Set<string | null>();
  for (const one of due) {
    if (held.has(one.cid)) continue;
    try {
      await kernel.write(async (tx) => {
        await sql`set local lock_timeout = '200ms'`.execute(tx.db);
        await end(tx, one);
      });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      held.add(one.cid);
    }
  }
};
