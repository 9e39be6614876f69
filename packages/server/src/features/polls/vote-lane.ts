import { ParleyError } from '@parley/protocol';
import type pg from 'pg';
import type { Kernel } from '../../kernel.ts';
import { type Ask, type Cast, castBatch } from './vote-batch.ts';

const mostPerCommit = 400;
const deadlock = '40P01';

type Waiting = { ask: Ask; resolve(cast: Cast): void; reject(error: unknown): void };

export type VoteLane = ReturnType<typeof createVoteLane>;

/** Votes that arrive while a commit is in flight share the next one: one lock of each poll, one count, one flush. */
export const createVoteLane = (kernel: Kernel) => {
  let queue: Waiting[] = [];
  let running: Promise<void> | undefined;
  let connection: Promise<pg.Client> | undefined;

  const drop = async (): Promise<void> => {
    const old = connection;
    connection = undefined;
    await old?.then((client) => client.end()).catch(() => undefined);
  };

  const run = async (batch: Waiting[], mayRetry: boolean): Promise<void> => {
    try {
      connection ??= kernel.pools.connectPipelined();
      const asks = batch.map(({ ask }) => ask);
      const results = await castBatch(await connection, asks, kernel.now);
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result === undefined || result instanceof ParleyError) reject(result);
        else resolve(result);
      }
    } catch (error) {
      if (mayRetry && (error as { code?: string }).code === deadlock) return run(batch, false);
      await drop();
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
    cast: (ask: Ask): Promise<Cast> =>
      new Promise((resolve, reject) => {
        queue.push({ ask, resolve, reject });
        running ??= pump();
      }),
    async stop(): Promise<void> {
      await running;
      await drop();
    },
  };
};
