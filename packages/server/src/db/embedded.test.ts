import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const settings = { fsync: 'off', shared_buffers: '16MB' };
const cleanup: (() => unknown)[] = [];

afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo();
});

function makeDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-test-'));
  cleanup.push(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, settings });
  cleanup.push(() => server.stop());
  return server;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const pool = new pg.Pool({ connectionString: url });
  // end() does not wait for the sockets: a server stopped right after still reports to the pool.
  pool.on('error', () => {});
  try {
    return (await pool.query<unknown[]>({ text, rowMode: 'array' })).rows.flat();
  } finally {
    await pool.end();
  }
}

/** Another process that starts the database, prints its answer and stays. */
function startElsewhere(dataDir: string): { child: ChildProcess; answer: Promise<string> } {
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)});
    const server = await startEmbeddedPostgres(${JSON.stringify({ dataDir, settings })});
    console.log(JSON.stringify(server));
    setInterval(() => {}, 1000);
    process.once('SIGTERM', () => server.stop().then(() => process.exit()));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanup.push(() => child.kill('SIGKILL'));
  const answer = new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data) => resolve(String(data)));
    child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
  });
  return { child, answer };
}

test('creates the database parley in UTF-8 and reaches it by the url', async () => {
  const { url, startedHere } = await start(makeDir());

  const rows = await query(url, `select current_database(), upper('é'), current_setting('fsync')`);

  expect(startedHere).toBe(true);
  expect(rows).toEqual(['parley', 'É', 'off']);
  expect(new URL(url).pathname).toBe('/parley');
});

test('stops more than once and starts again quickly with its rows', async () => {
  const dataDir = makeDir();
  const begin = performance.now();
  const first = await start(dataDir);
  const made = performance.now() - begin;
  await query(first.url, 'create table kept as select 7 as n');
  await Promise.all([first.stop(), first.stop()]);
  await expect(query(first.url, 'select 1')).rejects.toThrow();

  const again = performance.now();
  const second = await start(dataDir);
  const took = performance.now() - again;

  expect(await query(second.url, 'select n from kept')).toEqual([7]);
  // The limit is the first start of the same run: what is there is not made anew, on a busy machine either.
  expect(took).toBeLessThan(made);
});

test('takes over the server of a process killed with -9', async () => {
  const dataDir = makeDir();
  const { child, answer } = startElsewhere(dataDir);
  const { url } = JSON.parse(await answer) as { url: string };
  await query(url, 'create table kept as select 8 as n');
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;

  const heir = await start(dataDir);

  expect(heir).toMatchObject({ startedHere: false, url });
  expect(await query(heir.url, 'select n from kept')).toEqual([8]);
  await heir.stop();
  await expect(query(url, 'select 1')).rejects.toThrow();
});

test('two processes at the same time share one server, which ends with the last', async () => {
  const dataDir = makeDir();
  const here = start(dataDir);
  const { child, answer } = startElsewhere(dataDir);
  const servers = [await here, JSON.parse(await answer) as EmbeddedPostgres];

  expect(servers.map((server) => server.startedHere).sort()).toEqual([false, true]);
  await (await here).stop();
  expect(await query((await here).url, 'select 1')).toEqual([1]);

  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
  await expect(query((await here).url, 'select 1')).rejects.toThrow();
});

test('starts where a stale pid file names another program and a dead process left the lock', async () => {
  const dataDir = makeDir();
  await (await start(dataDir)).stop();
  writeFileSync(
    join(dataDir, 'pg', 'postmaster.pid'),
    `${process.pid}\n${dataDir}/pg\n1\n5432\n/tmp\n\n\nready\n`,
  );
  writeFileSync(join(dataDir, 'pg.lock'), '99999999 gone');

  const { url } = await start(dataDir);

  expect(await query(url, 'select 1')).toEqual([1]);
});

test('says what to do with files of another PostgreSQL, and shows the log when the start fails', async () => {
  const dataDir = makeDir();
  await (await start(dataDir)).stop();

  const wrong = startEmbeddedPostgres({ dataDir, settings: { shared_buffers: 'plenty' } });
  await expect(wrong).rejects.toThrow(/DATABASE_URL[\s\S]*invalid value for parameter "shared_buffers"/);

  writeFileSync(join(dataDir, 'pg', 'PG_VERSION'), '12\n');
  await expect(start(dataDir)).rejects.toThrow(/written by PostgreSQL 12.*DATABASE_URL/);
});
