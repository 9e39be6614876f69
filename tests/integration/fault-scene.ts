import { readFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@parley/server';
import { type Nats, until } from '@parley/testkit';
import { makeDatabaseFolder } from '@parley/testkit/memory-folder';
import pg from 'pg';
import { endWithThisProcess } from './leftovers.ts';
import { type ServerProcess, startProcess } from './server-process.ts';

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Numbers between 0 and 1 that are the same for the same seed. */
export const createRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const listen = async (server: ReturnType<typeof createServer>): Promise<number> => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};

const findPort = async (): Promise<number> => {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
};

/** The way of one server to NATS, to be cut. */
const createWay = async (target: string) => {
  const [host = '', port = ''] = target.split(':');
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    const far = connect(Number(port), host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        for (const either of [near, far]) either.destroy();
      });
    }
    if (isCut) near.destroy();
    else near.pipe(far).pipe(near);
  });
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: await listen(server),
    cut: () => {
      isCut = true;
      end();
    },
    mend: () => {
      isCut = false;
    },
    stop: () => {
      end();
      server.close();
    },
  };
};

/** How far the clocks of the servers are from the true time: one is wrong by more than texts of NATS are believed for. */
const clockShifts = [-2 * 60 * 60 * 1000, 15_000, 0];
const shiftedClock = new URL('./shifted-clock.mjs', import.meta.url).href;

type Find = () => ServerProcess;

/** The network of a client behind a balancer: a new socket goes to a server that is alive, and calls go where the socket is. */
export const balanced = (find: Find) => {
  let current = find();
  const rewrite = (url: string): string => {
    const { pathname, search, protocol } = new URL(url);
    return `${protocol}//${new URL(current.url).host}${pathname}${search}`;
  };
  const followed = () => {
    if (find() !== current && current.hasExited()) current = find();
  };
  return {
    random: () => 0,
    fetch: (url: string, init: RequestInit) => {
      followed();
      return fetch(rewrite(url), init);
    },
    WebSocket: class extends WebSocket {
      constructor(url: string) {
        current = find();
        super(rewrite(url));
      }
    },
  };
};

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

/** Three servers as processes of their own on a PostgreSQL and a NATS of their own, all of which may die. */
export const createFaultScene = async (nats: Nats) => {
  const folder = makeDatabaseFolder('parley-faults-');
  const leftovers = endWithThisProcess(folder);
  const settings = { fsync: 'off', restart_after_crash: 'on' };
  const dataDir = join(folder, 'data');
  const postgres = await startEmbeddedPostgres({ dataDir, settings });
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 });
  pool.on('error', () => undefined);
  const target = nats.bus.servers[0] ?? '';
  const places = await Promise.all(
    [0, 1, 2].map(async () => ({ way: await createWay(target), port: await findPort() })),
  );
  const start = async (at: number): Promise<ServerProcess> => {
    const { way, port } = places[at] ?? {};
    const server = await startProcess(
      {
        DATABASE_URL: postgres.url,
        PARLEY_DATA: join(folder, 'files'),
        BUS_URL: `nats://127.0.0.1:${way?.port}`,
        PORT: String(port),
        NODE_OPTIONS: `--import=${shiftedClock}`,
        PARLEY_TEST_CLOCK_MS: String(clockShifts[at]),
      },
      folder,
    );
    leftovers.add(server);
    return server;
  };
  // The first of them to come migrates the database, and the others wait for it.
  const servers = await Promise.all([start(0), start(1), start(2)]);
  const serverAt = (at: number): ServerProcess => {
    const found = servers[at];
    if (!found) throw new Error(`there is no server ${at}`);
    return found;
  };

  const dead = new Set<number>();
  let restarting: Promise<void> = Promise.resolve();
  /** The server at this place, or another while it is dead. */
  const aliveAt = (at: number): ServerProcess =>
    serverAt([at, at + 1, at + 2].map((place) => place % 3).find((place) => !dead.has(place)) ?? at);

  /** A question to the database, asked until it is there to answer. */
  const query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
    until(
      () =>
        pool.query<Row>(text, values).then(
          ({ rows }) => rows,
          async (): Promise<undefined> => {
            await wait(25);
          },
        ),
      'the database',
    );

  return {
    serverAt,
    aliveAt,
    query,
    cutNats: async (at: number, ms: number): Promise<void> => {
      places[at]?.way.cut();
      await wait(ms);
      places[at]?.way.mend();
    },
    killNats: async (ms: number): Promise<void> => {
      await nats.kill();
      await wait(ms);
      await nats.restart();
    },
    /** It is started again while the others serve; one at a time is dead. */
    killServer: async (at: number): Promise<void> => {
      await restarting;
      dead.add(at);
      serverAt(at).signal('SIGKILL');
      await serverAt(at).exited;
      restarting = start(at).then((server) => {
        servers[at] = server;
        dead.delete(at);
      });
    },
    pauseServer: async (at: number, ms: number): Promise<void> => {
      await restarting;
      serverAt(at).signal('SIGSTOP');
      await wait(ms);
      serverAt(at).signal('SIGCONT');
    },
    /** A part of it that is killed makes PostgreSQL end all connections, recover from its log and begin anew. */
    killBackend: async (): Promise<void> => {
      const [row] = await query<{ pid: number }>(
        `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
      );
      if (row) process.kill(row.pid, 'SIGKILL');
    },
    /** All of PostgreSQL ends; the one that comes with the server is started again by who started it. */
    killPostgres: async (): Promise<void> => {
      const pid = Number((await readFile(join(dataDir, 'pg', 'postmaster.pid'), 'utf8')).split('\n')[0]);
      process.kill(pid, 'SIGKILL');
      await until(() => isGone(pid), 'the end of PostgreSQL');
      await query('select 1');
    },
    stop: async (): Promise<void> => {
      await restarting;
      for (const server of servers) server.signal('SIGTERM');
      await Promise.all(servers.map(({ exited }) => exited));
      for (const { way } of places) way.stop();
      await pool.end();
      await postgres.stop();
      await nats.kill();
      await leftovers.stop();
    },
  };
};
export type FaultScene = Awaited<ReturnType<typeof createFaultScene>>;
