import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { toError } from '../lib/to-error.ts';
import { errorCode, isAlive } from './embedded-lock.ts';

type Postmaster = { pid: number; port: string; socketDir: string; status: string };
export type Address = { socketDir: string; port: string; password: string };

/** The pid file of a running (or killed) server. */
export function readPostmaster(pgDir: string): Postmaster | undefined {
  try {
    const lines = readFileSync(join(pgDir, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number.parseInt(lines[0] ?? '', 10);
    if (Number.isNaN(pid)) return undefined;
    return { pid, port: lines[3] ?? '', socketDir: lines[4] ?? '', status: (lines[7] ?? '').trim() };
  } catch {
    return undefined;
  }
}

/** After a restart of a container the pid in the file often belongs to some other program. */
export function isPostgres(pid: number): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform === 'win32') return true;
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(
      'postgres',
    );
  }
  try {
    // A killed server that nobody waits for stays as a zombie with its name.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.includes('(postgres)') && !stat.includes('(postgres) Z');
  } catch {
    return false;
  }
}

/** Whether the process certainly works in this folder; false also where the system does not say. */
export function worksIn(pid: number, pgDir: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(pgDir);
  } catch {
    return false;
  }
}

/** A URL that `pg`, libpq and `new URL` all take. */
export function databaseUrl(address: Address, database: string): string {
  if (address.password !== '') {
    return `postgresql://postgres:${address.password}@127.0.0.1:${address.port}/${database}`;
  }
  const host = encodeURIComponent(address.socketDir);
  return `postgresql://postgres@localhost:${address.port}/${database}?host=${host}`;
}

type Probe = { state: 'ready' } | { state: 'busy' | 'absent' | 'refused'; reason: string };

/** Connects once, creates the database where it is missing and checks that the server works on our folder. */
export async function probe(address: Address, database: string, pgDir: string): Promise<Probe> {
  try {
    const [row] = await query(databaseUrl(address, database), 'show data_directory');
    const folder = String(row?.data_directory ?? '');
    if (realpathSync(folder) === realpathSync(pgDir)) return { state: 'ready' };
    return { state: 'refused', reason: `another PostgreSQL answers, working in ${folder}` };
  } catch (error) {
    const code = errorCode(error);
    if (code === '3D000') return createDatabase(address, database);
    return { state: stateOf(code), reason: toError(error).message };
  }
}

function stateOf(code: string): 'busy' | 'absent' | 'refused' {
  // 57P03 starting or stopping, 53300 too many clients, 57P01 shut down meanwhile
  if (['57P03', '53300', '57P01', 'ECONNRESET'].includes(code)) return 'busy';
  return ['ENOENT', 'ECONNREFUSED'].includes(code) ? 'absent' : 'refused';
}

async function createDatabase(address: Address, database: string): Promise<Probe> {
  try {
    await query(databaseUrl(address, 'postgres'), `create database ${pg.escapeIdentifier(database)}`);
    return { state: 'ready' };
  } catch (error) {
    return { state: 'refused', reason: toError(error).message };
  }
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, ssl: false, connectionTimeoutMillis: 10_000 });
  // Without a listener a server that stops while we connect brings the process down.
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Fast shutdown: open transactions are rolled back, then a checkpoint. Resolves when the process is gone. */
export async function stopPostmaster(pid: number, pgCtlStop: () => void): Promise<void> {
  const signal = (name: 'SIGINT' | 'SIGQUIT') => {
    try {
      if (process.platform === 'win32') pgCtlStop();
      else process.kill(pid, name);
    } catch (error) {
      if (errorCode(error) !== 'ESRCH') throw error;
    }
  };
  signal('SIGINT');
  if (await untilGone(pid, 30_000)) return;
  signal('SIGQUIT');
  if (await untilGone(pid, 10_000)) return;
  throw new Error(`PostgreSQL (process ${pid}) did not stop within 40 seconds.`);
}

async function untilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (isPostgres(pid)) {
    if (performance.now() > end) return false;
    await sleep(10);
  }
  return true;
}
