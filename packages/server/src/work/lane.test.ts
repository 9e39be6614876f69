import { ParleyError } from '@parley/protocol';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createPools } from '../db/pool.ts';
import { systemClock } from '../lib/clock.ts';
import { createLane, held, type Lane, type LaneOptions } from './lane.ts';

const pools = createPools(process.env.PARLEY_TEST_PG ?? '', () => undefined);
const table = `lane_${crypto.randomUUID().replaceAll('-', '')}`;
beforeAll(() =>
  pools.pool.query(`create table ${table} (key text primary key, items text[] not null default '{}')`),
);
const lanes: Lane<Item, number>[] = [];
afterEach(async () => {
  for (const lane of lanes.splice(0)) await lane.stop();
  await pools.pool.query(`delete from ${table}`);
});
afterAll(async () => {
  await pools.pool.query(`drop table ${table}`);
  await pools.end();
});

type Item = { key: string; text: string };

/** Appends each item to the row of its key, under the lock of the row; refuses items that say so. */
const append: LaneOptions<Item, number>['commit'] = async (client, items, { patience }) => {
  const skip = patience === 'skips' ? 'skip locked' : '';
  try {
    await client.query('begin');
    const { rows } = await client.query<{ key: string }>(
      `select key from ${table} where key = any($1) order by key for update ${skip}`,
      [items.map(({ key }) => key)],
    );
    const locked = new Set(rows.map(({ key }) => key));
    const outcomes = [];
    for (const { key, text } of items) {
      if (!locked.has(key)) outcomes.push(held);
      else if (text === 'refused') outcomes.push(new ParleyError('NotAllowed', 'refused'));
      else {
        await client.query(`update ${table} set items = items || $2::text where key = $1`, [key, text]);
        outcomes.push(items.length);
      }
    }
    await client.query('commit');
    return outcomes as never;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
};

const queues = new Map<string, () => number>();
const create = (options: Partial<LaneOptions<Item, number>> = {}): Lane<Item, number> => {
  const lane = createLane<Item, number>(
    { clock: systemClock, queues },
    {
      name: 'items',
      connect: () => pools.connectPipelined(),
      keyOf: ({ key }) => key,
      commit: append,
      ...options,
    },
  );
  lanes.push(lane);
  return lane;
};
const makeKeys = (...keys: string[]) =>
  pools.pool.query(`insert into ${table} (key) select unnest($1::text[])`, [keys]);
const itemsOf = async (key: string): Promise<string[]> => {
  const { rows } = await pools.pool.query(`select items from ${table} where key = $1`, [key]);
  return rows[0]?.items;
};

test('M4 items that arrive during a commit share the next one, and a refused one does not stop the others', async () => {
  await makeKeys('a');
  const lane = create();
  const texts = ['1', '2', 'refused', '4', '5'];
  const results = await Promise.allSettled(texts.map((text) => lane.ask({ key: 'a', text })));

  expect(results.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.name))).toEqual([
    1,
    4,
    'NotAllowed',
    4,
    4,
  ]);
  expect(await itemsOf('a')).toEqual(['1', '2', '4', '5']);
});

test('M4 a batch that meets a deadlock or a stored id is committed a second time, another error rejects it', async () => {
  await makeKeys('a');
  const codes: (string | undefined)[] = [];
  const lane = create({
    commit: async (client, items, how) => {
      const outcomes = await append(client, items, how);
      const code = codes.shift();
      if (code !== undefined) throw Object.assign(new Error(code), { code });
      return outcomes;
    },
  });
  const ask = (text: string) => lane.ask({ key: 'a', text }).catch((error: Error) => error.message);

  codes.push('40P01', undefined, '23505', undefined, '23505', '23505', '22000', undefined);
  const answers = [await ask('deadlock'), await ask('id'), await ask('twice'), await ask('other')];

  expect([...answers, await ask('after')]).toEqual([1, 1, '23505', '22000', 1]);
});

test('M4 items whose key another transaction holds wait in order, and those of other keys do not', async () => {
  await makeKeys('a', 'b');
  const lane = create();
  const holder = await pools.pool.connect();
  await holder.query('begin');
  await holder.query(`select key from ${table} where key = 'a' for update`);
  const waiting = ['1', '2'].map((text) => lane.ask({ key: 'a', text }));
  await lane.ask({ key: 'b', text: '1' });
  const later = lane.ask({ key: 'a', text: '3' });
  await lane.ask({ key: 'b', text: '2' });

  expect(await itemsOf('b')).toEqual(['1', '2']);
  expect(await itemsOf('a')).toEqual([]);
  expect(queues.get('items')?.()).toBeGreaterThan(0);
  await holder.query('commit');
  holder.release();
  await Promise.all([...waiting, later]);
  expect(queues.get('items')?.()).toBe(0);
  expect(await itemsOf('a')).toEqual(['1', '2', '3']);
});

test('M1 items whose commit lost its connection are settled, and the lane goes on with a new connection', async () => {
  await makeKeys('a');
  let isBroken = false;
  const lost: string[] = [];
  const breakAfter = async (client: pg.Client) => {
    isBroken = true;
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await pools.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await client.query('select 1');
  };
  const lane = create({
    commit: async (client, items, how) => {
      const outcomes = await append(client, items, how);
      if (!isBroken) await breakAfter(client);
      return outcomes;
    },
    settleLost: async (entries) => {
      for (const { item, resolve } of entries) {
        lost.push(item.text);
        resolve(-1);
      }
    },
  });

  expect(await lane.ask({ key: 'a', text: '1' })).toBe(-1);
  expect(await lane.ask({ key: 'a', text: '2' })).toBe(1);
  expect([lost, await itemsOf('a')]).toEqual([['1'], ['1', '2']]);
});

test('M4 a lane that stops answers what was asked before', async () => {
  await makeKeys('a');
  const lane = create();
  const answered = vi.fn();
  for (const text of ['1', '2', '3']) void lane.ask({ key: 'a', text }).then(answered);
  await lane.stop();
  expect(answered).toHaveBeenCalledTimes(3);
});
