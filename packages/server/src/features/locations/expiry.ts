import type { Kernel, Tx } from '../../kernel.ts';
import { isoTime } from '../../lib/clock.ts';
import { createDueJob, type DueJob } from '../../work/due-job.ts';
import { runEach } from '../../work/run-each.ts';
import { type LocationPublisher, publishStopped } from './publishing.ts';
import { endLive, findNextEnd, listDueChannels, listUntold, lockChannels } from './store.ts';

const mostAtOnce = 50;
/** What was not told for so long was stored by a server that died. */
const untoldMs = 15_000;

/** Ends what is due in a channel and tells it: once, as who comes second finds it ended. */
const endDue = async (tx: Tx, cid: string): Promise<void> => {
  const there = await lockChannels(tx.db, [cid]);
  const rows = await endLive(tx.db, { cid, due: tx.now }, tx.now);
  if (there.has(cid)) await publishStopped(tx, rows);
};

const tellForgotten = async (kernel: Kernel, publisher: LocationPublisher): Promise<void> => {
  const before = isoTime(kernel.clock.now() - untoldMs);
  for (const { cid, message_id } of await listUntold(kernel.db, before, mostAtOnce))
    publisher.touch(cid, message_id);
};

/** Ends each live location at its time, whether or not anybody looks. */
export const createLocationExpiry = (kernel: Kernel, publisher: LocationPublisher): DueJob =>
  createDueJob(kernel, {
    name: 'location-expiry',
    next: () => findNextEnd(kernel.db),
    run: async () => {
      const cids = await listDueChannels(kernel.db, kernel.now(), mostAtOnce);
      const count = await runEach(
        kernel,
        cids.map((cid) => ({ cid })),
        (tx, { cid }) => endDue(tx, cid),
      );
      await tellForgotten(kernel, publisher);
      return count > 0 && cids.length === mostAtOnce;
    },
  });
