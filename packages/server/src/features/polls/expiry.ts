import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { isoTime } from '../../lib/clock.ts';
import { createDueJob, type DueJob } from '../../work/due-job.ts';
import { runEach } from '../../work/run-each.ts';
import type { PollAccess } from './access.ts';
import type { PollPublisher } from './publishing.ts';
import { isClosedAt, type PollRow } from './rules.ts';
import { closePoll, findNextPollEnd, listEndedPolls, listUnpublished, removeUnsent } from './store.ts';

type Deps = {
  kernel: Kernel;
  pollAccess: PollAccess;
  publisher: PollPublisher;
  publishClosed(tx: Tx, row: PollRow): Promise<void>;
};

const mostAtOnce = 100;
/** A poll that was not sent by then never will be. */
const unsentMs = 400 * 24 * 3_600_000;

const close = async ({ pollAccess, publishClosed }: Deps, tx: Tx, due: PollRow): Promise<void> => {
  const row = await pollAccess.lock(tx, due);
  if (row.is_closed || !isClosedAt(row, tx.now)) return;
  await publishClosed(tx, await closePoll(tx.db, row.id));
};

/** Publishes polls whose votes a server stored and did not publish before it died. */
const publishLeftOver = async ({ kernel, publisher }: Deps): Promise<void> => {
  for (const { id, cid } of await listUnpublished(kernel.pools.background, mostAtOnce))
    if (cid !== null) publisher.touch(id, cid);
};

/** Closes polls at their end time; reads treat them as closed already. */
export const createPollExpiry = (deps: Deps): DueJob => {
  const { kernel } = deps;
  return createDueJob(kernel, {
    name: 'poll-expiry',
    next: () => findNextPollEnd(kernel.pools.background),
    run: async () => {
      const due = await listEndedPolls(kernel.pools.background, kernel.now(), mostAtOnce);
      const count = await runEach(kernel, due, (tx, poll) => close(deps, tx, poll));
      await publishLeftOver(deps);
      await removeUnsent(kernel.pools.background, isoTime(kernel.clock.now() - unsentMs));
      return count > 0 && due.length === mostAtOnce;
    },
  });
};
