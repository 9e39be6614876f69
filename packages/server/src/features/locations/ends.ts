import { createDueJob, type DueJob } from '../../jobs/due-job.ts';
import { endEach } from '../../jobs/end-each.ts';
import type { Kernel, Tx } from '../../kernel.ts';
import { isoTime } from '../../lib/clock.ts';
import { endLive, findNextEnd, listDueChannels, listUntold, lockChannels } from './store.ts';
import { type LocationTeller, tellStopped } from './telling.ts';

const mostAtOnce = 50;
/** What was not told for so long was stored by a server that died. */
const untoldMs = 15_000;

/** Ends what is due in a channel and tells it: once, as who comes second finds it ended. */
const endDue = async (tx: Tx, cid: string): Promise<void> => {
  const there = await lockChannels(tx.db, [cid]);
  const rows = await endLive(tx.db, { cid, due: tx.now }, tx.now);
  if (there.has(cid)) await tellStopped(tx, rows);
};

const tellForgotten = async (kernel: Kernel, teller: LocationTeller): Promise<void> => {
  const before = isoTime(kernel.clock.now() - untoldMs);
  for (const { cid, message_id } of await listUntold(kernel.db, before, mostAtOnce))
    teller.touch(cid, message_id);
};

/** Ends each live location at its time, whether or not anybody looks. */
export const createEndingJob = (kernel: Kernel, teller: LocationTeller): DueJob =>
  createDueJob(kernel, {
    name: 'locations',
    next: () => findNextEnd(kernel.db),
    run: async () => {
      const cids = await listDueChannels(kernel.db, kernel.now(), mostAtOnce);
      await endEach(
        kernel,
        cids.map((cid) => ({ cid })),
        (tx, { cid }) => endDue(tx, cid),
      );
      await tellForgotten(kernel, teller);
      return cids.length === mostAtOnce;
    },
  });
