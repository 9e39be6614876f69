import { type ErrorName, ParleyError } from '@parley/protocol';
import type { Kernel } from '../../kernel/kernel.ts';
import { isoTime } from '../../lib/clock.ts';
import { createDueJob, type DueJob } from '../../work/due-job.ts';
import { createGroups } from '../../work/groups.ts';
import type { Apps } from '../apps/service.ts';
import { isSameOwner } from '../messages/send-rules.ts';
import type { Messages } from '../messages/service.ts';
import { findMessage } from '../messages/store.ts';
import type { UserCache } from '../users/cache.ts';
import { toGone, toScheduled } from './record.ts';
import {
  claimSends,
  findNextSend,
  removeScheduled,
  renewSend,
  type ScheduledRow,
  updateScheduled,
} from './store.ts';

type Deps = { kernel: Kernel; apps: Apps; messages: Messages; users: UserCache };

const leaseMs = 10_000;
const retryMs = 2000;
const mostAtOnce = 50;
const mostUnderWay = 200;
const mostAttempts = 5;

/** The reason of a failure that the author may read: faults of the server show no internals. */
const reasonOf = (error: unknown): string =>
  error instanceof ParleyError && error.name !== 'Internal' ? error.message : 'It could not be sent';

/** Refusals that end by themselves or are lifted, however long that takes. */
const passing: ReadonlySet<string> = new Set<ErrorName>(['CoolDown', 'AppSuspended']);

/** Whether another try may do better: our own faults pass, slow mode ends, and a suspended app is resumed. */
const mayPass = (error: unknown, attempts: number): boolean =>
  error instanceof ParleyError && passing.has(error.name)
    ? true
    : attempts < mostAttempts && (!(error instanceof ParleyError) || error.retryable);

/** Sends as the author, under the rules of this moment. A message that is stored already was sent by a server that died afterwards. */
const sendAsAuthor = async ({ kernel, apps, messages, users }: Deps, row: ScheduledRow): Promise<void> => {
  const stored = await findMessage(kernel.db, row.id);
  if (stored && isSameOwner(stored, row)) return;
  const user = await users.get(kernel.db, row.user_id);
  if (!user || user.row.deleted_at !== null || user.row.deactivated_at !== null)
    throw new ParleyError('NotAllowed', 'The author is no longer active');
  if (user.row.role === 'guest') await apps.checkVisitor('guest');
  await messages.send({ kind: 'user', user }, row.cid, row.input);
};

const settle = async ({ kernel }: Deps, row: ScheduledRow, error: unknown): Promise<void> => {
  if (mayPass(error, row.attempts)) {
    const leased_until = isoTime(kernel.clock.now() + retryMs * row.attempts);
    await updateScheduled(kernel.pools.background, row.id, { leased_until });
    return;
  }
  await kernel.write(async (tx) => {
    const values = { status: 'failed', error: reasonOf(error), leased_until: null } as const;
    const failed = await updateScheduled(tx.db, row.id, values, tx.now);
    if (!failed) return;
    const fields = { scheduled_message: toScheduled(failed) };
    tx.notify([row.user_id], 'notification.scheduled_message_failed', fields, row.cid);
  });
};

const sendOne = async (deps: Deps, claimed: ScheduledRow): Promise<void> => {
  const { clock, pools } = deps.kernel;
  const row = await renewSend(pools.background, claimed, isoTime(clock.now() + leaseMs));
  if (!row) return;
  try {
    await sendAsAuthor(deps, row);
  } catch (error) {
    if (!(error instanceof ParleyError))
      deps.kernel.log.error({ err: error, id: row.id }, 'a scheduled message was not sent');
    return settle(deps, row, error);
  }
  // Last: whoever dies before this is found by the stored message, and sends nothing twice.
  await deps.kernel.write(async (tx) => {
    if (!(await removeScheduled(tx.db, row.id))) return;
    const fields = { scheduled_message: toGone(row, tx.now), is_sent: true };
    tx.notify([row.user_id], 'scheduled_message.deleted', fields, row.cid);
  });
};

/** Sends each message once when its time has come, whichever server is up. */
export const createSendingJob = (deps: Deps): DueJob => {
  const { kernel, apps } = deps;
  /** The messages of one channel are sent in the order of their times. */
  const sends = createGroups<ScheduledRow>(kernel, {
    keyOf: ({ cid }) => cid,
    run: (row) => sendOne(deps, row),
    most: mostUnderWay,
  });
  /** No author may act then: what falls due is left as it is until the app is resumed. */
  const isSuspended = async (): Promise<boolean> => {
    await kernel.others.catchUp();
    return (await apps.get()).suspended;
  };
  const job = createDueJob(kernel, {
    name: 'scheduled-messages',
    next: async () => ((await isSuspended()) ? undefined : findNextSend(kernel.pools.background)),
    run: async () => {
      const most = Math.min(mostAtOnce, sends.room);
      if (most === 0 || (await isSuspended())) return false;
      const until = isoTime(kernel.clock.now() + leaseMs);
      const rows = await claimSends(kernel.pools.background, { now: kernel.now(), until, most });
      await sends.begin(rows);
      return rows.length === mostAtOnce;
    },
  });
  return {
    wake: job.wake,
    start: () => {
      const stop = job.start();
      return async () => {
        await stop();
        await sends.stop();
      };
    },
  };
};
