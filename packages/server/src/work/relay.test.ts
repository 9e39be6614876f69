import { expect, test, vi } from 'vitest';
import { createPools } from '../db/pool.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { systemClock } from '../lib/clock.ts';
import { createRelay } from './relay.ts';

const log = { warn: () => undefined, error: () => undefined } as unknown as Kernel['log'];

test('P4 a connection to other servers that breaks while it is opened is opened once again, and each notice comes once', async () => {
  const pools = createPools(process.env.PARLEY_TEST_PG ?? '', () => undefined);
  let opened = 0;
  const connectPipelined = async () => {
    const client = await pools.connectPipelined();
    opened += 1;
    if (opened > 1) return client;
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await pools.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    return client;
  };
  // The pause before it is opened again is two seconds.
  const clock = {
    ...systemClock,
    setTimeout: (run: () => void, ms: number) => systemClock.setTimeout(run, ms / 10),
  };
  const heard: number[][] = [];
  const receiver = createRelay({ pools: { ...pools, connectPipelined }, clock, log });
  receiver.on('greetings', async (ids) => void heard.push(ids));
  const stop = receiver.start();
  const sender = createRelay({ pools, clock, log });

  const listening = async () => {
    const { rows } = await pools.pool.query(
      `select pid from pg_stat_activity where datname = current_database() and query = 'listen parley_jobs'`,
    );
    return rows.length;
  };
  await vi.waitFor(async () => expect([opened, await listening()]).toEqual([2, 1]));
  await sender.send(pools.db, 'greetings', [1]);
  await sender.send(pools.db, 'greetings', [2]);
  await vi.waitFor(() => expect(heard.length).toBeGreaterThanOrEqual(2));

  expect(heard).toEqual([[1], [2]]);
  expect(opened).toBe(2);
  await stop();
  await pools.end();
});
