import { ParleyError } from '@parley/protocol';
import type { Kernel, Tx } from '../kernel/kernel.ts';
import { isoTime } from '../lib/clock.ts';
import { type TaskRow, updateClaimed } from './long-task-store.ts';

/** How much is done, 0 to 1, and where the task stands. */
export type Progress = { done: number; state?: Record<string, unknown> };

/** A long task as its handler sees it. */
export type TaskContext = {
  input: Record<string, unknown>;
  /** The state that the last step or report saved, perhaps on another server; undefined at first. */
  state: Record<string, unknown> | undefined;
  /** Aborted when the server stops, and soon after the task was cancelled or claimed by another server. */
  signal: AbortSignal;
  /** Saves progress. Throws when the task was cancelled or lost: the handler lets that error pass. */
  report(done: number, state?: Progress['state']): Promise<void>;
  /** Runs a part in a transaction that also saves its progress: both are stored, once, or neither is. */
  step(run: (tx: Tx) => Promise<Progress>): Promise<void>;
};

const leaseMs = 30_000;
const renewMs = 10_000;
const mostFailures = 5;
const retryMs = 2000;

export const leaseEnd = ({ clock }: Pick<Kernel, 'clock'>): string => isoTime(clock.now() + leaseMs);

/** Thrown in a handler whose task is no longer its own. */
class TaskStopped extends Error {}

/** The text that a caller reads of a failure: our own faults say nothing of internals. */
const failureText = (error: unknown): string =>
  error instanceof ParleyError ? error.message : 'The task failed (Internal)';

/** A database that was away for a moment, or another fault of ours. */
const mayPass = (error: unknown): boolean => !(error instanceof ParleyError) || error.retryable;

type Handler = (task: TaskContext) => Promise<Record<string, unknown>>;

/** Renews the lease until it is stopped, and aborts the run when the task is no longer its own. Returns its stop. */
const renewLease = (kernel: Kernel, row: TaskRow, stopping: AbortController): (() => void) => {
  let timer: { stop(): void };
  let isStopped = false;
  const plan = (): void => {
    if (!isStopped) timer = kernel.clock.setTimeout(renew, renewMs);
  };
  const renew = (): void => {
    updateClaimed(kernel.pools.background, row, { leased_until: leaseEnd(kernel) }).then(
      (isOurs) => (isOurs ? plan() : stopping.abort(new TaskStopped())),
      (error: unknown) => {
        kernel.log.warn({ err: error, task: row.id }, 'the lease of a task was not renewed');
        plan();
      },
    );
  };
  plan();
  return () => {
    isStopped = true;
    timer.stop();
  };
};

/** One run of a claimed task, and how it ended. */
export const createTaskRun = (kernel: Kernel, row: TaskRow, handler: Handler | undefined) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let failures = row.failures;

  const save = async (db: Kernel['db'], { done, state }: Progress): Promise<void> => {
    if (signal.aborted) throw new TaskStopped();
    const values = {
      progress: Math.min(100, Math.max(0, Math.round(done * 100))),
      failures: 0,
      leased_until: leaseEnd(kernel),
      updated_at: kernel.now(),
      ...(state === undefined ? {} : { state: JSON.stringify(state) }),
    };
    if (!(await updateClaimed(db, row, values))) throw new TaskStopped();
    failures = 0;
  };

  const context: TaskContext = {
    input: row.input,
    state: row.state ?? undefined,
    signal,
    report: (done, state) =>
      save(kernel.pools.background, { done, ...(state === undefined ? {} : { state }) }),
    step: (run) => kernel.write(async (tx) => save(tx.db, await run(tx))),
  };

  const settle = async (error: unknown): Promise<void> => {
    if (signal.aborted || error instanceof TaskStopped) {
      // A task that is still ours was stopped with its server: another continues it.
      await updateClaimed(kernel.pools.background, row, { status: 'waiting', leased_until: null });
      return;
    }
    kernel.log.error({ err: error, task: row.id }, 'a task failed');
    if (handler && mayPass(error) && failures + 1 < mostFailures) {
      // It stays claimed until then, and is claimed again like one whose server is gone.
      const leased_until = isoTime(kernel.clock.now() + retryMs * (failures + 1));
      await updateClaimed(kernel.pools.background, row, { leased_until });
      return;
    }
    const failed = { status: 'failed' as const, error: failureText(error), leased_until: null };
    await updateClaimed(kernel.pools.background, row, { ...failed, updated_at: kernel.now() });
  };

  const run = async (): Promise<void> => {
    if (!handler || row.failures >= mostFailures) throw new ParleyError('Internal');
    const result = JSON.stringify(await handler(context));
    const done = { status: 'completed' as const, progress: 100, result, leased_until: null };
    await updateClaimed(kernel.pools.background, row, { ...done, updated_at: kernel.now() });
  };

  return {
    stop: () => stopping.abort(new TaskStopped()),
    perform: async (): Promise<void> => {
      const stopRenewing = renewLease(kernel, row, stopping);
      try {
        await run().catch(settle);
      } catch (error) {
        // The lease runs out, and the task is claimed again.
        kernel.log.error({ err: error, task: row.id }, 'the end of a task was not stored');
      } finally {
        stopRenewing();
      }
    },
  };
};
