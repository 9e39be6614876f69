import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isLockTimeout } from '../db/lock-timeout.ts';
import { migrate } from '../db/migrate.ts';
import { createPools, type Pools } from '../db/pool.ts';
import { detachPartition, listPartitions } from '../events/log-partitions.ts';
import { isoTime } from '../lib/clock.ts';
import { keepLog, startRetention } from './retention.ts';

const base = process.env.PARLEY_TEST_PG ?? '';
const name = `retention_${crypto.randomUUID().replaceAll('-', '')}`;
let admin: pg.Client;
let pools: Pools;
/** Sets up and looks at what is tested: a statement of it may take long on a busy machine, and one of the pools is a read of a call. */
let database: pg.Pool;
/** The connections that retention has in the server. */
let log: { db: Pools['background'] };
beforeAll(async () => {
  admin = new pg.Client({ connectionString: base });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  pools = createPools(url.href, () => undefined);
  await migrate(pools.pool);
  log = { db: pools.background };
  database = new pg.Pool({ connectionString: url.href });
  // Its connections outlive its end for a moment, and go with their database.
  database.on('error', () => undefined);
  database.on('connect', (client) => client.on('error', () => undefined));
});
afterAll(async () => {
  await pools.end();
  await database.end();
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.end();
});
beforeEach(async () => {
  await database.query('truncate events');
});

const day = 24 * 60 * 60 * 1000;
/** A Monday that is ahead of all that the migration made, and of each test before. */
let monday = Date.parse('2031-01-06T00:00:00Z');
beforeEach(() => {
  monday += 30 * 7 * day;
});

const append = async (ms: number, seq = 1): Promise<void> => {
  await database.query(
    `insert into events (cid, seq, created_at, payload) values ('t:a', $1, $2, '{}') returning tableoid::regclass::text`,
    [seq, isoTime(ms)],
  );
};
const namesNow = async (): Promise<string[]> =>
  (await listPartitions(pools.background)).map((one) => one.name);
const dateOf = (ms: number): string => isoTime(ms).slice(0, 10).replaceAll('-', '');
/** The name of the table of each row, by its number. */
const places = async (): Promise<Record<string, string>> => {
  const { rows } = await database.query('select seq::text, tableoid::regclass::text as place from events');
  return Object.fromEntries(rows.map(({ seq, place }) => [seq, place]));
};

test('W4 the log has a partition for this week and the next, and loses a week when it ended 30 days ago', async () => {
  let most = 0;
  for (let week = 0; week < 10; week++)
    for (const now of [0, 3.5].map((days) => monday + (week * 7 + days) * day)) {
      await keepLog(log, now);
      await append(now, now);
      most = Math.max(most, (await namesNow()).length);
    }
  // Thirty days before the last run was the second day of week 5.
  expect(await namesNow()).toEqual([
    ...[5, 6, 7, 8, 9, 10].map((week) => `events_${dateOf(monday + week * 7 * day)}`),
    'events_default',
  ]);
  expect(Object.keys(await places())).toHaveLength(10);
  expect(most).toBe(8);
  const { rows } = await database.query(
    `select relname from pg_class where relname = 'events_before' or relname = $1`,
    [`events_${dateOf(monday)}`],
  );
  expect(rows).toEqual([]);
});

test('W4 an event that no partition is for is stored, and moves to the one of its week; one of next year waits', async () => {
  const now = monday + 3 * day;
  await append(now - 8 * day, 1);
  await append(now, 2);
  await append(now + 365 * day, 3);
  await append(now - 31 * day, 4);
  expect(new Set(Object.values(await places()))).toEqual(new Set(['events_default']));

  await keepLog(log, now);

  expect(await places()).toEqual({
    1: `events_${dateOf(monday - 7 * day)}`,
    2: `events_${dateOf(monday)}`,
    3: 'events_default',
  });
  // The key of the partition is that of the log.
  await expect(append(now, 2)).rejects.toThrow(/duplicate key/);
});

/** Events of one moment, of which no partition is. */
const appendMany = (ms: number, first: number, count: number) =>
  database.query(
    `insert into events (cid, seq, created_at, payload) select 't:a', seq, $1, '{}' from generate_series($2::bigint, $3) seq`,
    [isoTime(ms), first, first + count - 1],
  );
const countsByPlace = async (): Promise<Record<string, number>> => {
  const { rows } = await database.query(
    'select tableoid::regclass::text as place, count(*)::integer as count from events group by 1',
  );
  return Object.fromEntries(rows.map(({ place, count }) => [place, count]));
};

test('W4 very many stray events of a week do not move: their table becomes the partition of the week, and an empty one takes its place', async () => {
  await appendMany(monday, 1, 50_001);
  await append(monday + 7 * day, 60_001);
  await append(monday + 365 * day, 60_002);
  const fileOf = async (table: string) =>
    (await database.query('select pg_relation_filenode($1::regclass) as file', [table])).rows[0].file;
  const file = await fileOf('events_default');

  await keepLog(log, monday + day);

  const week = `events_${dateOf(monday)}`;
  const next = `events_${dateOf(monday + 7 * day)}`;
  expect(await countsByPlace()).toEqual({ [week]: 50_001, [next]: 1, events_default: 1 });
  expect(await fileOf(week)).toBe(file);
  // All of it is still one log: the key holds, later events find their place, and the next many are treated alike.
  await expect(append(monday + day, 7)).rejects.toThrow(/duplicate key/);
  await append(monday + day, 60_000);
  await appendMany(monday + 21 * day, 70_001, 50_001);
  await keepLog(log, monday + 22 * day);
  expect(await countsByPlace()).toMatchObject({
    [week]: 50_002,
    [`events_${dateOf(monday + 21 * day)}`]: 50_001,
  });
});

test('W4 a time of several weeks with very many stray events is one partition, whose old events are deleted while it lasts', async () => {
  await appendMany(monday, 1, 50_001);
  await appendMany(monday + 14 * day, 60_001, 50_001);
  await keepLog(log, monday + 15 * day);
  const name = `events_${dateOf(monday)}_${dateOf(monday + 21 * day)}`;
  expect(await countsByPlace()).toEqual({ [name]: 100_002 });

  await keepLog(log, monday + 31 * day);
  expect(await countsByPlace()).toEqual({ [name]: 50_001 });

  await keepLog(log, monday + 52 * day);
  expect(await countsByPlace()).toEqual({});
  expect(await namesNow()).not.toContain(name);
});

test('W4 a reader that holds the log delays retention, and neither it nor a writer waits for that', async () => {
  await keepLog(log, monday);
  const backup = await database.connect();
  await backup.query('begin; select from events');

  const later = monday + 70 * day;
  const started = performance.now();
  const outcome = keepLog(log, later).catch((error: unknown) => error);
  await append(monday, 1);
  expect(isLockTimeout(await outcome)).toBe(true);
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(await namesNow()).toContain(`events_${dateOf(monday)}`);

  await backup.query('commit');
  backup.release();
  await keepLog(log, later);
  expect(await namesNow()).not.toContain(`events_${dateOf(monday)}`);
});

test('W4 several servers keep the log at once: each partition is made and dropped once', async () => {
  await keepLog(log, monday);
  const later = monday + 70 * day;
  await Promise.all(Array.from({ length: 4 }, () => keepLog(log, later)));
  await keepLog(log, later);
  expect(await namesNow()).toEqual([
    `events_${dateOf(later)}`,
    `events_${dateOf(later + 7 * day)}`,
    'events_default',
  ]);
});

test('W4 a partition that a dead server detached is dropped by the next, and no other table', async () => {
  await keepLog(log, monday);
  const left = `events_${dateOf(monday)}`;
  const dropped: string[] = [];
  const retention = { db: pools.background, onDropped: (table: string) => dropped.push(table) };
  await detachPartition(pools.background, left);
  await database.query(`create table ${left} ()`);

  await keepLog(retention, monday + 7 * day);

  expect(dropped).toEqual([`parley_detached_${left}`]);
  const named = 'select relname from pg_class where relname = any($1)';
  const { rows } = await database.query(named, [[left, ...dropped]]);
  expect(rows).toEqual([{ relname: left }]);
});

test('W4 old events that no partition is for are deleted in steps, and a server that stops waits for one of them', async () => {
  await keepLog(log, monday);
  // More than the thousand pages of a step, with an event that is kept between those that are old.
  await database.query(
    `insert into events (cid, seq, created_at, payload)
     select 't:a', seq, case when seq = 20 then $2::timestamptz else $1 end, repeat('x', 1500) from generate_series(1, 6000) seq`,
    [isoTime(monday - 40 * day), isoTime(monday + 365 * day)],
  );
  const count = async () => (await database.query('select from events_default')).rowCount ?? 0;
  let looks = 0;

  // Two looks are for the weeks, two for what is old, and one for each step.
  await keepLog({ db: pools.background, isStopped: () => ++looks > 5 }, monday);
  const left = await count();
  await keepLog(log, monday);

  expect(left).toBeGreaterThan(500);
  expect(left).toBeLessThan(2000);
  expect(await places()).toEqual({ 20: 'events_default' });
});

test('W4 a step of retention that takes too long ends by itself, and the next does less', async () => {
  await keepLog(log, monday);
  await database.query(`
    insert into events (cid, seq, created_at, payload)
      select 't:a', seq, '${isoTime(monday - 40 * day)}', repeat('x', 1500) from generate_series(1, 300) seq;
    create function delay_delete() returns trigger language plpgsql as 'begin perform pg_sleep(0.004); return old; end';
    create trigger delay_delete before delete on events_default for each row execute function delay_delete()`);
  const took: number[] = [];
  let started = performance.now();
  const isStopped = () => {
    took.push(performance.now() - started);
    started = performance.now();
    return false;
  };

  await keepLog({ db: pools.background, isStopped, stepMs: 400 }, monday);

  await database.query('drop trigger delay_delete on events_default; drop function delay_delete');
  expect(await countsByPlace()).toEqual({});
  // All of them in one step would take more than this.
  expect(Math.max(...took)).toBeLessThan(1200);
});

test('W4 a server makes the partitions before its first event, and starts also where a backup holds the log', async () => {
  // Years ahead nothing of today is left.
  await keepLog(log, monday);
  const silent = { info: () => undefined, error: () => undefined };
  const kernel = { db: pools.background, log: silent };
  const { rows } = await database.query("select date_trunc('week', now(), 'UTC') as week");
  const week = new Date(rows[0].week).getTime();
  const names = [0, 7].map((days) => `events_${dateOf(week + days * day)}`);
  const backup = await database.connect();
  await backup.query('begin; lock table events_default in access share mode');
  await (await startRetention(kernel))();
  expect(await namesNow()).not.toContain(names[0]);
  await backup.query('commit');
  backup.release();

  await (await startRetention(kernel))();

  expect(await namesNow()).toEqual(expect.arrayContaining(names));
});
