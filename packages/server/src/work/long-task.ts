import { randomUUID } from 'node:crypto';
import type { Db } from '../db/schema.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { isoTime } from '../lib/clock.ts';
import { createDueJob } from './due-job.ts';
import { createTaskRun, leaseEnd, type TaskContext } from './long-task-run.ts';
import { cancelTask, claimTask, findNextTask, insertTask, type TaskRow } from './long-task-store.ts';

/** The long task: work that takes longer than a call, such as deletions, imports and campaigns.
 *
 * - Durable: a row of `tasks`, added in the caller's transaction or alone. Whichever server is up runs it; each server runs one
 *   task of a kind at a time, so kinds do not wait for each other.
 * - Resumed: a running task has a lease of 30 s, renewed every 10 s. After kill -9 another server claims it when the lease is
 *   over and continues from the state that was saved last; after an orderly stop at once.
 * - Each `step` once: its writes and the new state are one transaction, and it is rolled back if the task was cancelled or
 *   claimed by another server. Work outside a step (HTTP, files, `report`) is done at least once and must bear repetition.
 * - Cancellable: `cancel` ends a task before its next step or report; `signal` aborts within 10 s.
 * - An error that may pass is retried after 2 s, 4 s, …; five failed runs in a row without progress fail the task. */
export type LongTaskHandler = (task: TaskContext) => Promise<Record<string, unknown>>;

export type LongTasks = ReturnType<typeof createLongTasks>;

/** A caller reads this as the error of a cancelled task. */
const cancelled = 'The task was cancelled';

type NewTask = { kind: string; input: Record<string, unknown>; userId: string | null };

export const createLongTasks = (kernel: Kernel) => {
  const handlers = new Map<string, LongTaskHandler>();
  const active = new Map<string, { done: Promise<void>; stop(): void }>();
  const freeKinds = (): string[] => [...handlers.keys()].filter((kind) => !active.has(kind));

  const begin = (row: TaskRow): void => {
    const run = createTaskRun(kernel, row, handlers.get(row.kind));
    const done = run.perform().finally(() => {
      active.delete(row.kind);
      wake();
    });
    active.set(row.kind, { done, stop: run.stop });
  };

  const job = createDueJob(kernel, {
    name: 'long-tasks',
    next: async () => {
      const kinds = freeKinds();
      return kinds.length > 0 ? findNextTask(kernel.pools.background, kinds) : undefined;
    },
    run: async () => {
      const kinds = freeKinds();
      if (kinds.length === 0) return false;
      const row = await claimTask(kernel.pools.background, kinds, kernel.now(), leaseEnd(kernel));
      if (row) begin(row);
      return row !== undefined;
    },
  });
  const wake = (): void => job.wake(isoTime(kernel.clock.now()));

  return {
    /** Registers how a kind of task is done, before `start`. */
    handle: (kind: string, handler: LongTaskHandler): void => {
      handlers.set(kind, handler);
    },
    /** With the `db` of a transaction the task exists from its commit on: call `wake` then to start it at once. */
    add: async ({ kind, input, userId }: NewTask, db: Db = kernel.db): Promise<string> => {
      const id = randomUUID();
      const now = kernel.now();
      const times = { created_at: now, updated_at: now };
      await insertTask(db, { id, kind, input: JSON.stringify(input), user_id: userId, ...times });
      wake();
      return id;
    },
    /** False when the task is over already, or there is none. */
    cancel: (id: string): Promise<boolean> => cancelTask(kernel.db, id, cancelled, kernel.now()),
    wake,
    /** Returns its stop: tasks under way end after their step and continue elsewhere. */
    start: (): (() => Promise<void>) => {
      const stop = job.start();
      return async () => {
        const stopped = stop();
        for (const one of active.values()) one.stop();
        await stopped;
        for (const one of active.values()) one.stop();
        await Promise.all([...active.values()].map(({ done }) => done));
      };
    },
  };
};
