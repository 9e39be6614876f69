import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { BusEvent } from '../bus/bus.ts';
import { migrate } from '../db/migrate.ts';
import { holdPlace, listPlaces } from '../db/notifications.ts';
import { createPools, type Pools } from '../db/pool.ts';
import { systemClock } from '../lib/clock.ts';
import { Delays } from './delays.ts';
import { grantCalls, storeConnections } from './limits-store.ts';
import { Membership } from './membership.ts';
import { NotifyLink } from './notify-link.ts';
import { StaleReader } from './stale-reader.ts';
import {
  deleteOldEntries,
  deploymentId,
  listStale,
  registerServer,
  removeServers,
  storeStale,
  storeWatchers,
} from './store.ts';

const base = process.env.PARLEY_TEST_PG ?? '';
const name = `cluster_${crypto.randomUUID().replaceAll('-', '')}`;
const copy = `${name}_copy`;
const urlOf = (database: string): string => {
  const url = new URL(base);
  url.pathname = `/${database}`;
  return url.href;
};

const [self, other] = [crypto.randomUUID(), crypto.randomUUID()];
const staleOf = (key: string) => ({ kind: 'stale' as const, what: 'user' as const, key });
let admin: pg.Client;
let pools: Pools;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: base });
  await admin.connect();
  await admin.query(`create database ${name}`);
  pools = createPools(urlOf(name), () => undefined);
  await migrate(pools.pool);
});
afterAll(async () => {
  await pools.end();
  for (const one of [name, copy]) await admin.query(`drop database if exists ${one} with (force)`);
  await admin.end();
});

test('W4 a stale entry is read once, also where its transaction began long before others that were read', async () => {
  const { db } = pools;
  const long = await db.startTransaction().execute();
  await storeStale(long, other, [staleOf('long')]);
  const first = await listStale(db, self, undefined);
  await storeStale(db, other, [staleOf('short')]);
  await storeStale(db, self, [staleOf('own')]);
  const second = await listStale(db, self, first.moment);
  const third = await listStale(db, self, second.moment);
  await long.commit().execute();
  const fourth = await listStale(db, self, third.moment);
  const fifth = await listStale(db, self, fourth.moment);

  const pages = [first, second, third, fourth, fifth];
  expect(pages.map(({ entries }) => entries.map(({ key }) => key))).toEqual([
    [],
    ['short'],
    [],
    ['long'],
    [],
  ]);
  expect(pages.map(({ isOlder }) => isOlder)).toEqual([false, false, false, false, false]);
});

test('W4 a database that is older than what was read of it is noticed', async () => {
  const { moment } = await listStale(pools.db, self, undefined);

  const later = { ...moment, next: String(BigInt(moment.next) + 1000n) };

  expect((await listStale(pools.db, self, later)).isOlder).toBe(true);
});

test('W4 a server that did not look for longer than entries are kept forgets everything, one that was paused does not', async () => {
  let elapsed = 0;
  const clock = { ...systemClock, elapsed: () => elapsed };
  const received: string[] = [];
  const publish = (event: BusEvent) => void (event.kind === 'stale' && received.push(event.what));
  const reader = new StaleReader({ self, db: pools.db, clock, publish });
  await reader.look();
  elapsed += 20_000;
  expect(reader.isLate()).toBe(true);
  await reader.look();
  expect(received).toEqual([]);

  elapsed += 3_600_000;
  await reader.look();

  expect(received).toEqual(['everything']);
  expect(reader.isLate()).toBe(false);
});

test('W4 a server holds its place as long as its connection is open', async () => {
  const client = await pools.connectPipelined();
  await holdPlace(client, self);
  expect(await listPlaces(pools.db, [self, other])).toEqual([self]);

  await client.end();
  await expect.poll(() => listPlaces(pools.db, [self, other])).toEqual([]);
});

const createMembership = () => {
  const link = { isUp: () => true };
  const sender = { send: () => undefined, beat: () => undefined };
  const ignore = () => undefined;
  return new Membership({
    ...{ self: crypto.randomUUID(), db: pools.db, clock: systemClock, link, sender },
    delays: new Delays(systemClock),
    ...{ onShared: ignore, onDoubt: ignore, onNoLongerSilent: ignore, onUnlisted: ignore, onGone: ignore },
  });
};

test('W4 a new server waits for those that are alive to know of it, and not for one that was killed a moment ago', async () => {
  const [alive, killed] = [crypto.randomUUID(), crypto.randomUUID()];
  await registerServer(pools.db, killed);
  const first = createMembership();
  await first.join();
  expect(first.peers.isSilent(killed)).toBe(true);

  await registerServer(pools.db, alive);
  const client = await pools.connectPipelined();
  await holdPlace(client, alive);
  const second = createMembership();
  let hasJoined = false;
  const joining = second.join().then(() => {
    hasJoined = true;
  });
  await vi.waitFor(() => expect(second.peers.has(alive)).toBe(true));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(hasJoined).toBe(false);
  second.receivedFrom(alive);
  await joining;
  await client.end();
});

test('W4 a budget that was spent is whole again in a minute, also where the clock of the database was set back', async () => {
  const ask = { key: 'user ana read', most: 60, windowMs: 60_000, owed: 1, balance: 0, least: 1 };
  const grantAt = async (startedAt: string) => {
    await pools.pool.query(
      `insert into call_budgets (key, started_at, spent) values ($1, ${startedAt}, 60)
      on conflict (key) do update set started_at = excluded.started_at, spent = 60`,
      [ask.key],
    );
    return (await grantCalls(pools.db, { self, parts: 4 }, [ask]))[0];
  };

  expect(await grantAt("now() - interval '30 seconds'")).toMatchObject({ calls: 0, spent: 60 });
  expect((await grantAt("now() - interval '61 seconds'"))?.calls).toBeGreaterThan(0);
  expect(await grantAt("now() + interval '1 hour'")).toMatchObject({ age_ms: 0, calls: 15 });
});

test('W4 the numbers of a server that is on no list are forgotten, those of one that is stay', async () => {
  const [lost, listed] = [crypto.randomUUID(), crypto.randomUUID()];
  await registerServer(pools.db, listed);
  for (const id of [lost, listed]) {
    await storeConnections(pools.db, id, new Map([['user ana', 1]]));
    await storeWatchers(pools.db, id, new Map([['messaging:room', 1]]));
  }

  await deleteOldEntries(pools.db);

  for (const table of ['connection_counts', 'watcher_counts'])
    expect((await pools.pool.query(`select server_id from ${table}`)).rows).toEqual([{ server_id: listed }]);
  await removeServers(pools.db, [listed]);
});

test('W4 a copy of the database is another deployment', async () => {
  const id = await deploymentId(pools.db);
  expect(await deploymentId(pools.db)).toBe(id);
  await pools.end();
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  await admin.query(`create database ${copy} template ${name}`);
  pools = createPools(urlOf(copy), () => undefined);

  expect(await deploymentId(pools.db)).not.toBe(id);
  expect(id).toMatch(/^[0-9a-f]{32}$/);
});

test('W4 texts between servers arrive in order by the database, and their commits wait for no disk', async () => {
  const opened: pg.Client[] = [];
  const connect = async () => {
    const client = await pools.connectPipelined();
    // The databases of tests flush nothing.
    await client.query('set synchronous_commit = on');
    opened.push(client);
    return client;
  };
  const link = new NotifyLink({ connect, clock: systemClock, warn: () => undefined });
  const received: string[] = [];
  await link.start({ serverId: self, onText: (text) => void received.push(text), onUp: () => undefined });
  const texts = Array.from({ length: 30 }, (_, n) => `${n} ${'x'.repeat(500)}`);
  for (const text of texts) link.send('all', text);
  await vi.waitFor(() => expect(received).toHaveLength(texts.length), { interval: 5 });

  expect(received).toEqual(texts);
  const settings = await Promise.all(opened.map((client) => client.query('show synchronous_commit')));
  expect(settings.map(({ rows }) => rows)).toEqual([[{ synchronous_commit: 'off' }]]);
  await link.stop();
});
