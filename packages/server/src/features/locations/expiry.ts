import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { isoTime } from '../../lib/clock.ts';
import { createDueJob, type DueJob } from '../../work/due-job.ts';
import { runEach } from '../../work/run-each.ts';
import { type LocationPublisher, publishStopped } from './publishing.ts';
import { endLive, findNextEnd, listDueChannels, listUnpublished, lockChannels } from './store.ts';

const mostAtOnce = 50;
/** A step that was not published for so long was stored by a server that died. */
const leftOverMs = 15_000;

/** Ends the shares of a channel whose time is over and publishes that: once, as a second server finds them ended. */
const endDue = async (tx: Tx, cid: string): Promise<void> => {
  const there = await lockChannels(tx.db, [cid]);
  const rows = await endLive(tx.db, { cid, due: tx.now }, tx.now);
  if (there.has(cid)) await publishStopped(tx, rows);
};

const publishLeftOver = async (kernel: Kernel, publisher: LocationPublisher): Promise<void> => {
  const before = isoTime(kernel.clock.now() - leftOverMs);
  for (const { cid } of await listUnpublished(kernel.pools.background, before, mostAtOnce))
    publisher.touch(cid);
};

/** Ends each live location at its time, also while nobody reads it. */
export const createLocationExpiry = (kernel: Kernel, publisher: LocationPublisher): DueJob =>
  createDueJob(kernel, {
    name: 'location-expiry',
    next: () => findNextEnd(kernel.pools.background),
    run: async () => {
      const cids = await listDueChannels(kernel.pools.background, kernel.now(), mostAtOnce);
      const count = await runEach(
        kernel,
        cids.map((cid) => ({ cid })),
        (tx, { cid }) => endDue(tx, cid),
      );
      await publishLeftOver(kernel, publisher);
      return count > 0 && cids.length === mostAtOnce;
    },
  });
