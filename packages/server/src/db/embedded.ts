import { type ChildProcess, spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkVersion, chooseRunAs, findBinaries } from './embedded-binaries.ts';
import {
  type Cluster,
  choosePlace,
  createCluster,
  exitOf,
  failure,
  prepareDataDir,
  readPassword,
  spawnServer,
  trimLog,
} from './embedded-cluster.ts';
import { guard } from './embedded-guard.ts';
import { hasUsers, isAlive, joinUsers, withFileLock } from './embedded-lock.ts';
import {
  type Address,
  databaseUrl,
  isPostgres,
  probe,
  readPostmaster,
  stopPostmaster,
  worksIn,
} from './embedded-postmaster.ts';

export type EmbeddedOptions = {
  /** Holds the database (`pg`), its log (`pg.log`) and lock files. */
  dataDir: string;
  log?: (line: string) => void;
  /** Gets what somebody should look at: that the server died, and what became of it. */
  warn?: (line: string) => void;
  /** PostgreSQL settings over ours, such as `{ fsync: 'off' }` in tests. */
  settings?: Record<string, string>;
};

export type EmbeddedPostgres = {
  url: string;
  /** Stops the server, unless another living process uses it too. */
  stop(): Promise<void>;
  /** False where a server was already running on the folder and was taken over. */
  startedHere: boolean;
};

type Server = { pid: number; address: Address; startedHere: boolean };

const database = 'parley';
const startTimeoutMs = 120_000;
const orphanTimeoutMs = 30_000;

/** Starts the PostgreSQL that comes with the package on a folder, or takes over the one a killed process left. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {});
  const binaries = findBinaries();
  const dataDir = prepareDataDir(options.dataDir);
  const cluster: Cluster = {
    pgDir: join(dataDir, 'pg'),
    logFile: join(dataDir, 'pg.log'),
    passwordFile: join(dataDir, 'pg.password'),
    binaries,
    runAs: chooseRunAs(binaries, dataDir),
  };
  const lockFile = join(dataDir, 'pg.lock');
  const usersDir = join(dataDir, 'pg.users');

  const { server, leave } = await withFileLock(lockFile, async () => {
    const running = await adopt(cluster, log);
    if (running === undefined) rmSync(usersDir, { recursive: true, force: true });
    const server = running ?? (await startServer(cluster, options.settings ?? {}, log));
    return { server, leave: joinUsers(usersDir) };
  });

  let current = server;
  const url = databaseUrl(server.address, database);
  const onExit = () => {
    leave();
    if (process.platform === 'win32' || hasUsers(usersDir)) return;
    if (isPostgres(current.pid)) process.kill(current.pid, 'SIGINT');
  };
  process.once('exit', onExit);
  const stopGuard = guard({
    isRunning: () => (process.platform === 'linux' ? isPostgres(current.pid) : isAlive(current.pid)),
    // Another process on the same folder may have been quicker: its server is then taken.
    restart: () =>
      withFileLock(lockFile, async () => {
        const { port } = current.address;
        current =
          (await adopt(cluster, log)) ?? (await startServer(cluster, options.settings ?? {}, log, port));
        if (databaseUrl(current.address, database) !== url)
          throw new Error('PostgreSQL runs again, but at another address: restart Parley');
      }),
    log: options.warn ?? log,
  });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopGuard();
    return withFileLock(lockFile, async () => {
      process.off('exit', onExit);
      leave();
      if (hasUsers(usersDir)) return log('PostgreSQL keeps running for another process');
      if (isPostgres(current.pid)) await stopPostmaster(current.pid, () => pgCtlStop(cluster));
      removeSocketDir(current.address);
    });
  };
  return {
    url,
    startedHere: server.startedHere,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

async function adopt(cluster: Cluster, log: (line: string) => void): Promise<Server | undefined> {
  const begin = performance.now();
  for (;;) {
    const found = readPostmaster(cluster.pgDir);
    if (found === undefined) return undefined;
    if (!isPostgres(found.pid)) {
      // A pid that belongs to another program by now would make PostgreSQL refuse to start; a dead one it clears.
      if (isAlive(found.pid)) rmSync(join(cluster.pgDir, 'postmaster.pid'), { force: true });
      return undefined;
    }
    const address = { ...found, password: readPassword(cluster) };
    const answer = await probe(address, database, cluster.pgDir);
    if (answer.state === 'ready') {
      log(`PostgreSQL was already running (process ${found.pid}) and was taken over`);
      return { pid: found.pid, address, startedHere: false };
    }
    const waited = performance.now() - begin;
    // A cleaner of /tmp took the socket away: nobody can reach that server any more.
    const lost = answer.state === 'absent' && found.status === 'ready' && waited > 1_000;
    if (lost && worksIn(found.pid, cluster.pgDir)) {
      await stopPostmaster(found.pid, () => pgCtlStop(cluster));
    } else if (answer.state === 'refused' || lost || waited > startTimeoutMs) {
      throw failure(
        cluster,
        `PostgreSQL (process ${found.pid}) runs on ${cluster.pgDir} but cannot be used: ${answer.reason}.`,
      );
    }
    await sleep(20);
  }
}

async function startServer(
  cluster: Cluster,
  settings: Record<string, string>,
  log: (line: string) => void,
  port?: string,
): Promise<Server> {
  trimLog(cluster.logFile);
  if (!existsSync(cluster.pgDir)) {
    log(`creating a PostgreSQL database in ${cluster.pgDir}`);
    await createCluster(cluster, settings.fsync !== 'off');
  }
  checkVersion(cluster.pgDir, cluster.binaries.major);
  const end = performance.now() + orphanTimeoutMs;
  for (;;) {
    try {
      return await launchServer(cluster, settings, port);
    } catch (error) {
      // A killed server's last query still runs: PostgreSQL rightly waits for its end, and so do we.
      const orphans = error instanceof Error && error.message.includes('pre-existing shared memory block');
      if (!orphans || performance.now() > end) throw error;
    }
    await sleep(200);
  }
}

async function launchServer(
  cluster: Cluster,
  settings: Record<string, string>,
  port: string | undefined,
): Promise<Server> {
  const chosen = await choosePlace(cluster);
  const place = { ...chosen, port: port ?? chosen.port };
  const child = spawnServer(cluster, place, settings);
  const address = { ...place, password: readPassword(cluster) };
  const abandon = () => {
    child.kill('SIGQUIT');
    removeSocketDir(address);
  };
  // Where this process ends during the start, its server ends too.
  process.once('exit', abandon);
  try {
    await untilReady(cluster, address, child);
  } catch (error) {
    abandon();
    throw error;
  } finally {
    process.off('exit', abandon);
  }
  return { pid: child.pid ?? 0, address, startedHere: true };
}

async function untilReady(cluster: Cluster, address: Address, child: ChildProcess): Promise<void> {
  const end = performance.now() + startTimeoutMs;
  let exit: number | string | undefined;
  exitOf(child).then((code) => {
    exit = code;
  });
  for (;;) {
    const answer = await probe(address, database, cluster.pgDir);
    if (exit !== undefined) throw failure(cluster, `PostgreSQL ended while it started (${exit}).`);
    if (answer.state === 'ready') return;
    if (answer.state === 'refused' || performance.now() > end) {
      throw failure(cluster, `PostgreSQL does not become ready: ${answer.reason}.`);
    }
    await sleep(10);
  }
}

function removeSocketDir(address: Address): void {
  if (address.socketDir !== '') rmSync(address.socketDir, { recursive: true, force: true });
}

function pgCtlStop(cluster: Cluster): void {
  spawnSync(cluster.binaries.pgCtl, ['stop', '-D', cluster.pgDir, '-m', 'fast', '-w'], { stdio: 'ignore' });
}
