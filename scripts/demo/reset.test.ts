import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPools, startEmbeddedPostgres } from '@parley/server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { resetDemo } from './reset.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'parley-reset-'));
const env = { PARLEY_DATA: dataDir, PARLEY_DEMO: 'on' };
let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
let pools: ReturnType<typeof createPools>;

const tables = async () =>
  (await pools.pool.query("select tablename from pg_tables where schemaname = 'public'")).rows.length;

beforeAll(async () => {
  postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
  pools = createPools(postgres.url, () => {});
});

beforeEach(async () => {
  // A busy machine takes longer for it than a call may wait for a read.
  await pools.pool.query('set local statement_timeout = 0; drop schema public cascade; create schema public');
});

afterAll(async () => {
  await pools.end();
  await postgres.stop();
  rmSync(dataDir, { recursive: true });
});

test('it empties the database of a demo and leaves PostgreSQL running for others', async () => {
  await pools.pool.query(
    'create table migrations (a int); create table channels (a int); create table messages (a int)',
  );

  const done = await resetDemo(env);

  expect(done).toEqual({ database: dataDir, serverUrl: 'http://127.0.0.1:8800' });
  expect(await tables()).toBe(0);
});

test('with nothing there it does no harm', async () => {
  await resetDemo(env);

  expect(await tables()).toBe(0);
});

test.each([
  ['production', { ...env, NODE_ENV: 'production' }, /production/],
  ['a server without demo', { ...env, PARLEY_DEMO: 'off' }, /PARLEY_DEMO is off/],
  ['a database of another program', env, /not Parley's/],
])('it refuses %s', async (_name, given, reason) => {
  await pools.pool.query('create table invoices (a int)');

  await expect(resetDemo(given)).rejects.toThrow(reason);
  expect(await tables()).toBe(1);
});

test('a database by URL is named without its password', async () => {
  const url = new URL(postgres.url);
  const given = { ...env, DATABASE_URL: postgres.url };

  const { database } = await resetDemo(given);

  expect(database).toContain(url.pathname);
  expect(database).not.toContain(url.password || 'password');
});
