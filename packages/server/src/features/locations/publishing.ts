import { times } from '@parley/protocol';
import { createKeptConnection } from '../../db/kept-connection.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { createCoalescer } from '../../work/coalescer.ts';
import { publishBatch } from './publish-batch.ts';
import { type LocationRow, toSharedLocation } from './record.ts';
import { listActive } from './store.ts';

export type PublishOwn = (tx: Tx, userId: string) => Promise<void>;

/** Publishes to all devices of a user the locations that they share live now. */
export const publishOwn: PublishOwn = async (tx, userId) => {
  const rows = await listActive(tx.db, userId, tx.now);
  tx.notify([userId], 'notification.live_locations_updated', {
    active_live_locations: rows.map(toSharedLocation),
  });
};

/** Publishes that these shares ended; the rows are as their end left them. */
export const publishStopped = async (tx: Tx, rows: readonly LocationRow[]): Promise<void> => {
  for (const row of rows)
    await tx.event({
      cid: row.cid,
      type: 'live_location_sharing.stopped',
      fields: { shared_location: toSharedLocation(row) },
    });
  for (const userId of new Set(rows.map((row) => row.user_id))) await publishOwn(tx, userId);
};

const mostAtOnce = 50;
/** Channels whose shares move so near to each other share a commit: sends wait for fewer flushes to disk. */
const waitMs = 250;

export type LocationPublisher = ReturnType<typeof createLocationPublisher>;

/** Publishes to a channel soon which shares moved, and then at most every 3 s all that moved meanwhile, at whichever server. */
export const createLocationPublisher = (kernel: Kernel) => {
  const connection = createKeptConnection(() => kernel.pools.connectPipelined());
  const coalescer = createCoalescer<undefined>(kernel, {
    name: 'locations',
    waitMs,
    everyMs: times.locationUpdate,
    mostAtOnce,
    merge: () => undefined,
    flush: async (batch) => {
      const cids = batch.map(({ key }) => key);
      try {
        const { published, again } = await publishBatch(await connection.get(), cids, kernel);
        kernel.publishStored(published);
        return again;
      } catch (error) {
        await connection.end();
        throw error;
      }
    },
  });
  return {
    /** A share moved, and the transaction that stored it marked it as unpublished. */
    touch: (cid: string): void => coalescer.touch(cid, undefined),
    stop: async (): Promise<void> => {
      await coalescer.stop();
      await connection.end();
    },
  };
};
