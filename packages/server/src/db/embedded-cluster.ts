import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { type Binaries, isReachable, type RunAs } from './embedded-binaries.ts';
import { errorCode } from './embedded-lock.ts';

export type Cluster = {
  pgDir: string;
  logFile: string;
  passwordFile: string;
  binaries: Binaries;
  runAs: RunAs;
};

const overTcp = process.platform === 'win32';
const maxLogBytes = 16 * 1024 * 1024;

/** An eighth of the memory, within bounds: what does not fit is copied from the system's cache at every read. */
const bufferMegabytes = (): number => {
  const limit = process.constrainedMemory();
  const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.round(Math.min(512, Math.max(128, bytes / 8 / 1024 / 1024)));
};

const defaults: Record<string, string> = {
  fsync: 'on',
  synchronous_commit: 'on',
  shared_buffers: `${bufferMegabytes()}MB`,
  // Enough for three servers, which hold up to forty each.
  max_connections: '200',
  wal_buffers: '16MB',
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_line_prefix: '%m [%p] ',
};

/** Creates the folder so that the user PostgreSQL runs as may pass through it; others cannot list it. */
export function prepareDataDir(dataDir: string): string {
  const root = process.getuid?.() === 0;
  mkdirSync(dataDir, { recursive: true, mode: root ? 0o711 : 0o700 });
  const { mode } = statSync(dataDir);
  if (root && (mode & 0o001) === 0) chmodSync(dataDir, (mode & 0o777) | 0o001);
  return realpathSync(dataDir);
}

/** Runs initdb beside the final place and moves the result there, so a killed initdb is never taken for a database. */
export async function createCluster(cluster: Cluster, sync: boolean): Promise<void> {
  const fresh = `${cluster.pgDir}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  giveTo(cluster.runAs, fresh);
  const password = randomBytes(24).toString('hex');
  if (overTcp) writeFileSync(cluster.passwordFile, password, { mode: 0o600 });
  const auth = overTcp ? ['-A', 'scram-sha-256', `--pwfile=${cluster.passwordFile}`] : ['-A', 'trust'];
  const locale = ['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const args = ['-D', fresh, '-U', 'postgres', ...auth, ...locale, ...(sync ? [] : ['--no-sync'])];
  const child = launch(cluster, cluster.binaries.initdb, args);
  const code = await exitOf(child);
  if (code !== 0)
    throw failure(cluster, `PostgreSQL could not create its files in ${fresh} (initdb: ${code}).`);
  renameSync(fresh, cluster.pgDir);
  if (sync) syncDir(dirname(cluster.pgDir));
}

// Until the folder's new name is on disk, a power cut would take the whole database with it.
function syncDir(path: string): void {
  if (overTcp) return;
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Starts the server; it lives in a session of its own, so that Ctrl-C in the terminal reaches only Node. */
export function spawnServer(
  cluster: Cluster,
  place: { socketDir: string; port: string },
  settings: Record<string, string>,
): ChildProcess {
  giveTo(cluster.runAs, cluster.pgDir);
  const network: Record<string, string> = overTcp
    ? { listen_addresses: '127.0.0.1', port: place.port }
    : {
        listen_addresses: '',
        port: place.port,
        unix_socket_directories: `"${place.socketDir}"`,
        unix_socket_permissions: '0700',
      };
  const all = Object.entries({ ...defaults, ...settings, ...network });
  const args = ['-D', cluster.pgDir, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const child = launch(cluster, cluster.binaries.postgres, args);
  child.unref();
  return child;
}

function launch(cluster: Cluster, binary: string, args: string[]): ChildProcess {
  const [command = binary, ...rest] = [...cluster.runAs.prefix, binary, ...args];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PG')));
  const log = openSync(cluster.logFile, 'a', 0o600);
  try {
    return spawn(command, rest, {
      ...cluster.runAs.identity,
      cwd: overTcp ? cluster.pgDir : '/',
      env: { ...env, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', log, log],
      detached: true,
      windowsHide: true,
    });
  } finally {
    closeSync(log);
  }
}

export function exitOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
}

/** Where the server will listen: a short private folder (a socket path may have about 100 bytes), or a free port. */
export async function choosePlace(cluster: Cluster): Promise<{ socketDir: string; port: string }> {
  if (overTcp) return { socketDir: '', port: await freePort() };
  const hash = createHash('sha256').update(cluster.pgDir).digest('hex').slice(0, 12);
  const usable = (dir: string) =>
    Buffer.byteLength(dir) <= 70 && (cluster.runAs.owner === undefined || isReachable(dir));
  const base = [tmpdir(), '/tmp'].find(usable) ?? '/tmp';
  return { socketDir: privateDir(join(base, `parley-${hash}`), cluster.runAs), port: '5432' };
}

function privateDir(path: string, runAs: RunAs): string {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  const { uid } = lstatSync(path);
  const ours = lstatSync(path).isDirectory() && [runAs.owner, process.getuid?.()].includes(uid);
  // Anyone can make a folder of that name in /tmp: a foreign one would hand them our socket.
  const dir = ours ? path : mkdtempSync(`${path}-`);
  // The lock of a killed server whose pid is in use again would stop the new one.
  for (const name of readdirSync(dir)) rmSync(join(dir, name), { force: true });
  chmodSync(dir, 0o700);
  if (runAs.owner !== undefined) chownSync(dir, runAs.owner, runAs.owner);
  return dir;
}

function freePort(): Promise<string> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(String(port)));
    });
  });
}

export function readPassword(cluster: Cluster): string {
  return overTcp ? readFileSync(cluster.passwordFile, 'utf8').trim() : '';
}

function giveTo(runAs: RunAs, folder: string): void {
  const { owner } = runAs;
  if (owner === undefined || statSync(folder).uid === owner) return;
  for (const entry of readdirSync(folder, { recursive: true }))
    lchownSync(join(folder, String(entry)), owner, owner);
  // Last, so that an interrupted change is made again.
  lchownSync(folder, owner, owner);
}

export function trimLog(logFile: string): void {
  if (existsSync(logFile) && statSync(logFile).size > maxLogBytes) renameSync(logFile, `${logFile}.1`);
}

export function failure(cluster: Cluster, sentence: string): Error {
  const text = existsSync(cluster.logFile) ? readFileSync(cluster.logFile, 'utf8') : '';
  const tail = text.trimEnd().split('\n').slice(-8).join('\n');
  return new Error(
    `${sentence} Set DATABASE_URL to use a PostgreSQL of your own.\nLast lines of ${cluster.logFile}:\n${tail}`,
  );
}
