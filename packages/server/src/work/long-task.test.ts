import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createLocalBus } from '../bus/bus.ts';
import type { Config } from '../config/config.ts';
import { migrate } from '../db/migrate.ts';
import { createPools, type Pools } from '../db/pool.ts';
import { createKernel, type Kernel } from '../kernel/kernel.ts';
import { systemClock } from '../lib/clock.ts';
import { createLongTasks, type LongTaskHandler, type LongTasks } from './long-task.ts';

const log = { warn: () => undefined, error: () => undefined } as unknown as Kernel['log'];
const name = `tasks_${crypto.randomUUID().replaceAll('-', '')}`;
let admin: pg.Client;
let pools: Pools;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: process.env.PARLEY_TEST_PG ?? '' });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = new URL(process.env.PARLEY_TEST_PG ?? '');
  url.pathname = `/${name}`;
  pools = createPools(url.href, () => undefined);
  await migrate(pools.pool);
  await pools.pool.query('create table steps (task text, step int)');
});
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await pools.pool.query('truncate tasks, steps');
});
afterAll(async () => {
  await pools.end();
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.end();
});

/** The tasks of one server. Timers run ten times as fast where a test says so. */
const startServer = (handlers: Record<string, LongTaskHandler>, speed = 1) => {
  const setTimeout = (run: () => void, ms: number) => systemClock.setTimeout(run, ms / speed);
  const clock = { ...systemClock, setTimeout };
  const bus = createLocalBus(() => undefined);
  const tasks = createLongTasks(createKernel({ config: {} as Config, clock, log, pools, bus }));
  for (const [kind, handler] of Object.entries(handlers)) tasks.handle(kind, handler);
  const stop = tasks.start();
  stops.push(stop);
  return { ...tasks, stop };
};
const add = (tasks: Pick<LongTasks, 'add'>, kind = 'count', input = {}) =>
  tasks.add({ kind, input, userId: null });
const rowOf = async (id: string) =>
  (await pools.pool.query('select * from tasks where id = $1', [id])).rows[0];
const untilStatus = (id: string, status: string) =>
  vi.waitFor(async () => expect((await rowOf(id)).status).toBe(status));
const stepsOf = async (id: string): Promise<number[]> =>
  (await pools.pool.query('select step from steps where task = $1 order by step', [id])).rows.map(
    ({ step }) => step,
  );
const leaseOver = (id: string) =>
  pools.pool.query(`update tasks set leased_until = now() - interval '1 second' where id = $1`, [id]);

const signalOf = () => {
  let fire = () => {};
  const fired = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { fire: () => fire(), fired };
};

/** Counts to ten in steps, each written with the state it leads to. `at` runs before each step. */
const counting =
  (at: (next: number) => Promise<void> = async () => undefined): LongTaskHandler =>
  async ({ input, state, step }) => {
    for (let next = Number(state?.next ?? 1); next <= 10; next += 1) {
      await at(next);
      await step(async (tx) => {
        const { id } = input as { id: string };
        await tx.db
          .insertInto('steps' as never)
          .values({ task: id, step: next } as never)
          .execute();
        return { done: next / 10, state: { next: next + 1 } };
      });
    }
    return { counted: 10 };
  };
const ten = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

test('M14 a long task runs once, with progress on the way and its result at the end', async () => {
  const { fire, fired } = signalOf();
  const server = startServer({ count: counting(async (next) => (next === 6 ? fired : undefined)) });
  startServer({ count: counting() });
  const id = await add(server, 'count', { id: 'once' });

  await vi.waitFor(async () => expect(['running', 'completed']).toContain((await rowOf(id)).status));
  fire();
  await untilStatus(id, 'completed');

  expect(await rowOf(id)).toMatchObject({ progress: 100, result: { counted: 10 }, leased_until: null });
  expect(await stepsOf('once')).toEqual(ten);
});

test('M14 the steps of a server that lost its task are not stored, and another continues from the last one', async () => {
  const [reached, go] = [signalOf(), signalOf()];
  const frozen = startServer({
    count: counting(async (next) => {
      if (next !== 4) return;
      reached.fire();
      await go.fired;
    }),
  });
  const id = await add(frozen, 'count', { id: 'lost' });
  await reached.fired;
  expect((await rowOf(id)).progress).toBe(30);

  // As if its server had hung for longer than the lease.
  await leaseOver(id);
  startServer({ count: counting() });
  await untilStatus(id, 'completed');
  go.fire();
  await frozen.stop();

  expect(await stepsOf('lost')).toEqual(ten);
  expect((await rowOf(id)).status).toBe('completed');
});

test('M14 a task whose server stops in order is continued by another at once', async () => {
  const reached = signalOf();
  const server = startServer({
    count: counting(async (next) => {
      if (next === 5) reached.fire();
      if (next >= 5) await new Promise((resolve) => setTimeout(resolve, 5));
    }),
  });
  const id = await add(server, 'count', { id: 'stopped' });
  await reached.fired;
  await server.stop();
  expect((await rowOf(id)).status).toBe('waiting');

  startServer({ count: counting() });
  await untilStatus(id, 'completed');
  expect(await stepsOf('stopped')).toEqual(ten);
});

test('M14 a cancelled task does no further step, running or waiting, and cannot be cancelled twice', async () => {
  const [reached, go] = [signalOf(), signalOf()];
  let signal: AbortSignal | undefined;
  const server = startServer(
    {
      count: (task) => {
        signal = task.signal;
        return counting(async (next) => {
          if (next !== 3) return;
          reached.fire();
          await go.fired;
        })(task);
      },
    },
    10,
  );
  const running = await add(server, 'count', { id: 'cancelled' });
  await reached.fired;
  const waiting = await add(server, 'count', { id: 'never' });

  expect([await server.cancel(running), await server.cancel(waiting)]).toEqual([true, true]);
  await vi.waitFor(() => expect(signal?.aborted).toBe(true));
  go.fire();
  const after = await add(server, 'count', { id: 'after' });
  await untilStatus(after, 'completed');

  expect([await stepsOf('cancelled'), await stepsOf('never')]).toEqual([[1, 2], []]);
  expect(await rowOf(running)).toMatchObject({ status: 'failed', error: 'The task was cancelled' });
  expect([await server.cancel(running), await server.cancel('none')]).toEqual([false, false]);
});

test('M14 a task renews its lease during a long step', async () => {
  const go = signalOf();
  const server = startServer({ count: counting(async () => go.fired) }, 20);
  const id = await add(server, 'count', { id: 'long' });
  await vi.waitFor(async () => expect((await rowOf(id)).status).toBe('running'));
  const before = (await rowOf(id)).leased_until;

  await vi.waitFor(async () => expect((await rowOf(id)).leased_until > before).toBe(true));
  go.fire();
  await untilStatus(id, 'completed');
});

test('M14 an error is tried again from the last step; after five runs without progress the task fails', async () => {
  let tries = 0;
  const server = startServer(
    {
      count: counting(async (next) => {
        if (next % 2 === 0 && tries++ % 2 === 0) throw new Error('no database');
      }),
      broken: async () => {
        tries += 1;
        throw new Error('a fault of ours');
      },
    },
    50,
  );
  const soon = setInterval(() => {
    void pools.pool.query(
      `update tasks set leased_until = now() where leased_until > now() and kind = 'broken'`,
    );
    void pools.pool.query(
      `update tasks set leased_until = now() where leased_until > now() and kind = 'count' and progress < 100`,
    );
    server.wake();
  }, 50);
  try {
    const id = await add(server, 'count', { id: 'retried' });
    await untilStatus(id, 'completed');
    expect(await stepsOf('retried')).toEqual(ten);
    tries = 0;
    const broken = await add(server, 'broken');
    await untilStatus(broken, 'failed');
    expect([tries, (await rowOf(broken)).error]).toEqual([5, 'The task failed (Internal)']);
  } finally {
    clearInterval(soon);
  }
});

test('M14 tasks of one kind run one after the other on a server, and kinds do not wait for each other', async () => {
  const go = signalOf();
  let running = 0;
  let most = 0;
  const server = startServer({
    slow: async () => {
      most = Math.max(most, ++running);
      await go.fired;
      running -= 1;
      return {};
    },
    count: counting(),
  });
  const slow = [await add(server, 'slow'), await add(server, 'slow')];
  const quick = await add(server, 'count', { id: 'quick' });
  await untilStatus(quick, 'completed');
  go.fire();
  for (const id of slow) await untilStatus(id, 'completed');
  expect(most).toBe(1);
});

test('M14 a task of a transaction that is rolled back never runs', async () => {
  const server = startServer({ count: counting() });
  const bus = createLocalBus(() => undefined);
  const kernel = createKernel({ config: {} as Config, clock: systemClock, log, pools, bus });
  const undone = kernel.write(async (tx) => {
    await server.add({ kind: 'count', input: { id: 'undone' }, userId: null }, tx.db);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  const id = await kernel.write((tx) =>
    server.add({ kind: 'count', input: { id: 'stored' }, userId: null }, tx.db),
  );
  server.wake();
  await untilStatus(id, 'completed');
  expect([await stepsOf('stored'), await stepsOf('undone')]).toEqual([ten, []]);
});
