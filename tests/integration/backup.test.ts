import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdminClient } from '@parley/client/admin';
import { readConfig, startServer } from '@parley/server';
import { until } from '@parley/testkit';
import { freePort } from '@parley/testkit/free-port';
import { afterAll, expect, onTestFinished, test } from 'vitest';

/* The commands of docs/production.md, as they are written there. */

const folder = mkdtempSync(join(tmpdir(), 'parley-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const secret = 'a-secret-for-backups-under-test-only';
const environment = { PARLEY_API_KEY: 'key', PARLEY_API_SECRET: secret, LOG_LEVEL: 'silent', PORT: '0' };

type Admin = ReturnType<typeof createAdminClient>;

/** Starts a server, and runs with a client of its secret. */
const withServer = async <T>(env: Record<string, string>, run: (admin: Admin) => Promise<T>): Promise<T> => {
  const server = await startServer(readConfig({ ...environment, ...env }));
  try {
    return await run(createAdminClient({ apiKey: 'key', secret, baseUrl: `${server.url}/api` }));
  } finally {
    await server.stop();
  }
};

const write = async (admin: Admin): Promise<void> => {
  await admin.users.upsert([{ id: 'ana', name: 'Ana' }]);
  await admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana'] });
  await admin.messages.send('messaging:room', 'ana', { id: 'kept', text: 'kept' });
};
/** The restored message, and that the next one gets the next number. */
const readBack = async ({ messages }: Admin) => {
  const next = await messages.send('messaging:room', 'ana', { text: 'next' });
  const kept = await messages.get('kept');
  return [kept.text, kept.number, next.number];
};

test('W4 a copy of the data folder of a stopped server is a backup: a server on it has every message and goes on', async () => {
  const [data, backup] = [join(folder, 'data'), join(folder, 'backup')];
  await withServer({ PARLEY_DATA: data }, write);

  execFileSync('cp', ['-a', data, backup]);
  rmSync(data, { recursive: true });

  expect(await withServer({ PARLEY_DATA: backup }, readBack)).toEqual(['kept', 1, 2]);
});

const versions = '/usr/lib/postgresql';
/** A PostgreSQL of this machine with all its programs; the embedded one brings no pg_dump. */
const binaries = existsSync(versions)
  ? readdirSync(versions)
      .map((version) => join(versions, version, 'bin'))
      .find((bin) =>
        ['initdb', 'postgres', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(bin, name))),
      )
  : undefined;

/** PostgreSQL does not run as root. */
const identity = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

const startOwnPostgres = async (bin: string): Promise<string> => {
  const home = join(folder, 'own');
  mkdirSync(home);
  if (identity.uid !== undefined) {
    chownSync(home, identity.uid, identity.gid);
    execFileSync('chmod', ['711', folder]);
  }
  const data = join(home, 'data');
  const port = String(await freePort());
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'parley', '-A', 'trust', '-N'], {
    ...identity,
    stdio: 'ignore',
    cwd: '/',
  });
  const settings = [
    '-c',
    'fsync=off',
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    `unix_socket_directories=${home}`,
  ];
  const child = spawn(join(bin, 'postgres'), ['-D', data, '-p', port, ...settings], {
    ...identity,
    stdio: 'ignore',
    cwd: '/',
  });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
  });
  const url = `postgres://parley@127.0.0.1:${port}`;
  const isUp = () => {
    try {
      execFileSync(join(bin, 'psql'), [`${url}/postgres`, '-c', 'select 1'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  await until(isUp, 'PostgreSQL');
  return url;
};

test('W4 pg_dump and pg_restore carry an own database over: every message is there, and numbers go on', async ({
  skip,
}) => {
  if (binaries === undefined) return skip('no PostgreSQL with pg_dump in /usr/lib/postgresql');
  const url = await startOwnPostgres(binaries);
  const program = (name: string, ...args: string[]) =>
    execFileSync(join(binaries, name), args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [before, after] = [`${url}/parley`, `${url}/restored`];
  program('psql', `${url}/postgres`, '-c', 'create database parley');
  const env = { PARLEY_DATA: join(folder, 'files-of-own') };
  await withServer({ ...env, DATABASE_URL: before }, write);

  const dump = join(folder, 'parley.dump');
  program('pg_dump', '--format=custom', `--file=${dump}`, before);
  program('psql', `${url}/postgres`, '-c', 'create database restored');
  program('pg_restore', '--no-owner', '--exit-on-error', `--dbname=${after}`, dump);

  expect(await withServer({ ...env, DATABASE_URL: after }, readBack)).toEqual(['kept', 1, 2]);
});
