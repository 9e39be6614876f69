import { times } from '@parley/protocol';
import { transientEventJson } from '../../events/event-json.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { createCoalescer } from '../../work/coalescer.ts';
import { countReads } from './store.ts';

const mostAtOnce = 4;

/** Publishes the counts of a channel some time after somebody read, once for all who read meanwhile. */
export const createReadCounter = (kernel: Kernel) => {
  const publish = async (cid: string) => {
    const read_counts = await countReads(kernel.pools.background, cid);
    const type = 'channel.read_counts';
    kernel.publishTransient({
      kind: 'channel',
      cid,
      type,
      json: transientEventJson(type, cid, kernel.now(), { read_counts }),
    });
  };
  const coalescer = createCoalescer<undefined>(kernel, {
    name: 'read-counts',
    waitMs: times.readCounts,
    everyMs: 0,
    mostAtOnce,
    merge: () => undefined,
    flush: async (batch) => {
      await Promise.all(batch.map(({ key }) => publish(key)));
      return [];
    },
  });
  return { touch: (cid: string): void => coalescer.touch(cid, undefined), stop: coalescer.stop };
};
export type ReadCounter = ReturnType<typeof createReadCounter>;
