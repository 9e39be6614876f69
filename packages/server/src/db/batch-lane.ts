import { ParleyError } from '@parley/protocol';
import type pg from 'pg';
import { createKeptConnection } from './kept-connection.ts';
import { isStalePlan } from './statements.ts';

const mostPerCommit = 400;
const deadlock = '40P01';

type Waiting<A, R> = { ask: A; resolve(result: R): void; reject(error: unknown): void };

type LaneOptions<A, R> = {
  connect(): Promise<pg.Client>;
  /** One result for each, in the same order; those that are refused do not stop the others. */
  commit(client: pg.Client, asks: A[]): Promise<(R | ParleyError)[]>;
};

export type BatchLane<A, R> = { ask(ask: A): Promise<R>; stop(): Promise<void> };

/** What arrives while a commit is in flight shares the next one, on a connection of its own. */
export const createBatchLane = <A, R>({ connect, commit }: LaneOptions<A, R>): BatchLane<A, R> => {
  let queue: Waiting<A, R>[] = [];
  let running: Promise<void> | undefined;
  const connection = createKeptConnection(connect);

  const run = async (batch: Waiting<A, R>[], mayRetry: boolean): Promise<void> => {
    try {
      const results = await commit(
        await connection.get(),
        batch.map(({ ask }) => ask),
      );
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result instanceof ParleyError) reject(result);
        else resolve(result as R);
      }
    } catch (error) {
      if (mayRetry && (error as { code?: string }).code === deadlock) return run(batch, false);
      await connection.end();
      // A new connection has no plans that could be stale.
      if (mayRetry && isStalePlan(error)) return run(batch, false);
      for (const { reject } of batch) reject(error);
    }
  };

  const pump = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.slice(0, mostPerCommit);
      queue = queue.slice(mostPerCommit);
      await run(batch, true);
    }
    running = undefined;
  };

  return {
    ask: (ask) =>
      new Promise((resolve, reject) => {
        queue.push({ ask, resolve, reject });
        running ??= pump();
      }),
    async stop() {
      await running;
      await connection.end();
    },
  };
};
