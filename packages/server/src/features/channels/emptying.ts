import type { Kernel } from '../../kernel/kernel.ts';
import { type Emptying, removalSteps, stepSize } from './emptying-store.ts';

/** Called after each step with how much is done, 0 to 1. */
export type OnStep = (done: number) => Promise<void>;

/** Removes messages and log rows that nobody sees any more, in short transactions that leave the channel free for others.
 * After a crash another run removes the rest. */
export const emptyInSteps = async (kernel: Kernel, emptying: Emptying, onStep?: OnStep): Promise<void> => {
  let removed = 0;
  for (const [index, step] of removalSteps.entries()) {
    let isMore = true;
    while (isMore) {
      const count = await kernel.write((tx) => step(tx.db, emptying));
      removed += count;
      isMore = count === stepSize;
      const share = Math.min(0.9, removed / Math.max(1, emptying.upTo));
      if (isMore) await onStep?.((index + share) / removalSteps.length);
    }
  }
};
