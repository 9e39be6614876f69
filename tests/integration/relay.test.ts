import { createTestChat, until } from '@parley/testkit';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createRelay } from '../../packages/server/src/jobs/relay.ts';

test('P4 a connection to other servers that breaks while it is opened is opened once again, and each notice comes once', async () => {
  await using chat = await createTestChat({ users: ['ana'] });
  const { pools, clock, log, db } = chat.server.kernel;
  const admin = new pg.Client({ connectionString: chat.databaseUrl });
  await admin.connect();
  let opened = 0;
  const connectPipelined = async () => {
    const client = await pools.connectPipelined();
    opened += 1;
    if (opened > 1) return client;
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await admin.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    return client;
  };
  // Ten times as fast: the pause before it is opened again is two seconds.
  const hasty = { ...clock, setTimeout: (run: () => void, ms: number) => clock.setTimeout(run, ms / 10) };
  const heard: number[][] = [];
  const receiver = createRelay({ pools: { ...pools, connectPipelined }, clock: hasty, log });
  receiver.on('greetings', async (ids) => void heard.push(ids));
  const stop = receiver.start();
  const sender = createRelay({ pools, clock, log });

  await until(() => opened === 2, 'the second opening');
  const listening = async () => {
    const { rows } = await admin.query(
      `select pid from pg_stat_activity where datname = current_database() and query = 'listen parley_jobs'`,
    );
    return rows.length;
  };
  // The server's own and the receiver's.
  await expect.poll(listening, { timeout: 10_000 }).toBe(2);
  await sender.send(db, 'greetings', [1]);
  await sender.send(db, 'greetings', [2]);
  await until(() => heard.length >= 2, 'both notices');

  expect(heard).toEqual([[1], [2]]);
  expect(opened).toBe(2);
  await stop();
  await admin.end();
});
