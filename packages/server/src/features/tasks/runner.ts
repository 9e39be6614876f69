import { ParleyError } from '@parley/protocol';
import type { Kernel } from '../../kernel/kernel.ts';
import { isoTime } from '../../lib/clock.ts';
import type { TaskRow } from './record.ts';
import { claimTask, updateClaimed } from './store.ts';

export type TaskHandler = (
  input: Record<string, unknown>,
  /** Tells how much is done, 0 to 1, and keeps the lease. Throws when another server has taken over. */
  report: (done: number) => Promise<void>,
) => Promise<Record<string, unknown>>;

const pollMs = 5000;
const leaseMs = 30_000;
const mostAttempts = 5;
const retryMs = 2000;

class LeaseLost extends Error {}

/** What a caller may read of a failure: our own faults say nothing of internals. */
const failureText = (error: unknown): string =>
  error instanceof ParleyError ? error.message : 'The task failed (Internal)';

/** A database that was away for a moment, or another fault of ours: the task goes on where it stopped. */
const mayPass = (error: unknown): boolean => !(error instanceof ParleyError) || error.retryable;

type Handlers = ReadonlyMap<string, TaskHandler>;

const leaseEnd = ({ clock }: Kernel): string => isoTime(clock.now() + leaseMs);

/** Does one claimed task and keeps how it ended. */
const createPerformer = (kernel: Kernel, handlers: Handlers, isStopped: () => boolean) => {
  const { db, log } = kernel;
  const reporter = (task: TaskRow) => async (done: number) => {
    if (isStopped()) throw new LeaseLost();
    const progress = Math.min(100, Math.max(0, Math.round(done * 100)));
    const values = { progress, leased_until: leaseEnd(kernel), updated_at: kernel.now() };
    if (!(await updateClaimed(db, task, values))) throw new LeaseLost();
  };
  return async (task: TaskRow): Promise<void> => {
    const handler = handlers.get(task.kind);
    try {
      if (!handler || task.attempts > mostAttempts) throw new ParleyError('Internal');
      const result = JSON.stringify(await handler(task.input, reporter(task)));
      const done = { status: 'completed' as const, progress: 100, result, leased_until: null };
      await updateClaimed(db, task, { ...done, updated_at: kernel.now() });
    } catch (error) {
      // Stopped in the middle: it goes on elsewhere, or here after the restart.
      if (error instanceof LeaseLost) {
        const { attempts } = task;
        await updateClaimed(db, task, { status: 'waiting', leased_until: null, attempts: attempts - 1 });
        return;
      }
      log.error({ err: error, task: task.id }, 'a task failed');
      if (mayPass(error) && task.attempts < mostAttempts) {
        // It stays claimed until then, and is taken like one whose server is gone.
        const leased_until = isoTime(kernel.clock.now() + retryMs * task.attempts);
        await updateClaimed(db, task, { leased_until });
        return;
      }
      const failed = { status: 'failed' as const, error: failureText(error), leased_until: null };
      await updateClaimed(db, task, { ...failed, updated_at: kernel.now() });
    }
  };
};

/** Does the waiting tasks of this database one after the other, along with every other server on it. */
export const createTaskRunner = (kernel: Kernel) => {
  const { clock, db, log } = kernel;
  const handlers = new Map<string, TaskHandler>();
  let isStopped = true;
  let running: Promise<void> | undefined;
  let timer: { stop(): void } | undefined;
  let isPoked = false;
  const perform = createPerformer(kernel, handlers, () => isStopped);

  const drain = async (): Promise<void> => {
    while (!isStopped) {
      isPoked = false;
      const task = await claimTask(db, [...handlers.keys()], kernel.now(), leaseEnd(kernel));
      if (task) await perform(task);
      else if (!isPoked) return;
    }
  };

  const poke = (): void => {
    isPoked = true;
    if (isStopped || running) return;
    timer?.stop();
    running = drain()
      .catch((error) => log.error({ err: error }, 'tasks could not be taken'))
      .finally(() => {
        running = undefined;
        if (!isStopped) timer = clock.setTimeout(poke, pollMs);
      });
  };

  return {
    handle: (kind: string, handler: TaskHandler): void => {
      handlers.set(kind, handler);
    },
    poke,
    /** Returns its stop, which waits for the step under way. */
    start: (): (() => Promise<void>) => {
      isStopped = false;
      poke();
      return async () => {
        isStopped = true;
        timer?.stop();
        await running;
      };
    },
  };
};
