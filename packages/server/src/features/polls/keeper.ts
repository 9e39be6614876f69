import { endEach } from '../../jobs/end-each.ts';
import type { Kernel, Tx } from '../../kernel.ts';
import { isoTime } from '../../lib/clock.ts';
import type { PollAccess } from './access.ts';
import type { Polls } from './changes.ts';
import { isClosedAt, type PollRow } from './rules.ts';
import { isPollOfEmptied } from './store.ts';
import type { PollTeller } from './telling.ts';

type Deps = { kernel: Kernel; pollAccess: PollAccess; polls: Polls; teller: PollTeller };

const everyMs = 1000;
const mostAtOnce = 100;
/** A poll that nobody has sent by then will not be. */
const unsentMs = 400 * 24 * 3_600_000;

const close = async ({ pollAccess, polls }: Deps, tx: Tx, due: PollRow): Promise<void> => {
  const row = await pollAccess.lock(tx, due);
  if (row.is_closed || !isClosedAt(row, tx.now)) return;
  const closed = await tx.db
    .updateTable('polls')
    .set((eb) => ({ is_closed: true, version: eb('version', '+', 1) }))
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await polls.tell(tx, closed, 'poll.closed');
};

/** Closes polls whose time is over; reads take them for closed already. */
const closeEnded = async (deps: Deps): Promise<void> => {
  const { kernel } = deps;
  const due = await kernel.db
    .selectFrom('polls')
    .leftJoin('channels', 'channels.cid', 'polls.cid')
    .selectAll('polls')
    .where('polls.is_closed', '=', false)
    .where('polls.end_at', '<=', kernel.now())
    .where('channels.deleted_at', 'is', null)
    .where((eb) => eb.not(isPollOfEmptied))
    .orderBy('polls.end_at')
    .limit(mostAtOnce)
    .execute();
  await endEach(kernel, due, (tx, poll) => close(deps, tx, poll));
};

/** Takes up what a server that died had stored and not told. */
const tellUntold = async ({ kernel, teller }: Deps): Promise<void> => {
  const untold = await kernel.db
    .selectFrom('poll_untold')
    .innerJoin('polls', 'polls.id', 'poll_untold.poll_id')
    .select(['polls.id', 'polls.cid'])
    .limit(mostAtOnce)
    .execute();
  for (const { id, cid } of untold) if (cid !== null) teller.touch(id, cid);
};

const dropUnsent = async ({ kernel }: Deps): Promise<void> => {
  await kernel.db
    .deleteFrom('polls')
    .where('message_id', 'is', null)
    .where('created_at', '<', isoTime(kernel.clock.now() - unsentMs))
    .execute();
};

/** Looks every second for what falls due; returns its stop. */
export const startPollKeeper = (deps: Deps): (() => Promise<void>) => {
  const { kernel } = deps;
  let running = Promise.resolve();
  let stopped = false;
  const work = async () => {
    await closeEnded(deps);
    await tellUntold(deps);
    await dropUnsent(deps);
  };
  const run = () => {
    running = work()
      .catch((error: unknown) => kernel.log.error({ err: error }, 'looking after polls failed'))
      .then(() => {
        if (!stopped) timer = kernel.clock.setTimeout(run, everyMs);
      });
  };
  let timer = kernel.clock.setTimeout(run, everyMs);
  return () => {
    stopped = true;
    timer.stop();
    return running;
  };
};
