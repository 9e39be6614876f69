import { ParleyError } from '@parley/protocol';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { codeOf } from '../lib/code-of.ts';
import { namedColumns } from './columns.ts';
import { createKeptConnection, type KeptConnection } from './kept-connection.ts';
import { Replicas } from './replicas.ts';
import type { Database } from './schema.ts';
import { createStatementNames, isStalePlan } from './statements.ts';
import { refuseInsideWrite } from './write-guard.ts';

/** '2026-01-31 12:00:00.5+00' → '2026-01-31T12:00:00.500Z'; the session's time zone is UTC. */
const parseTime = (text: string): string => {
  const fraction = text.length > 22 ? text.slice(20, text.length - 3).padEnd(3, '0') : '000';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`;
};

const timestamptz = 1184;
const bigint = 20;

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === timestamptz) return parseTime;
    if (oid === bigint) return Number;
    return pg.types.getTypeParser(oid, format ?? 'text');
  },
};

/** How long one statement may take, by kind of work: a read that a caller waits for, and a statement of a transaction or of
 * background work. Without an end, a few queries hold every connection. */
const readMs = 2000;
const writeMs = 60_000;

const endAfter = (ms: number): string => ` -c statement_timeout=${ms}`;

/** Begins a transaction, on connections whose statements outside of one are reads: one text is one round trip. */
const writeTime = `; set local statement_timeout = ${writeMs}`;
export const beginWrite = `begin${writeTime}`;
const begins = /^(begin|start transaction)/;

type OnFailure = (error: unknown) => never;
const rethrow: OnFailure = (error) => {
  throw error;
};

type Preparing = {
  onFailure?: OnFailure | undefined;
  replicas?: Replicas | undefined;
  /** The beginning of the names of its statements, where others use the same connections. */
  beginning?: string;
};

/** The pool as Kysely sees it: every query goes through a prepared statement where it has a name. With replicas one of them is asked,
 * so it is for single reads then. */
const preparing = (pool: pg.Pool, { onFailure = rethrow, replicas, beginning }: Preparing): PostgresPool => {
  const names = createStatementNames(beginning);
  return {
    connect: async () => {
      refuseInsideWrite();
      const standby = await replicas?.connect();
      const client = standby?.client ?? (await pool.connect());
      let isTransaction = false;
      const run = (text: string, values: unknown[]) => {
        const name = names.nameOf(text);
        return client.query({ text, values, ...(name === undefined ? {} : { name }) });
      };
      const query = (text: string, values: unknown[]) => {
        if (text === 'commit' || text === 'rollback') isTransaction = false;
        if (!isTransaction && begins.test(text)) {
          isTransaction = true;
          return client.query(text + writeTime).catch(onFailure);
        }
        if (!isTransaction) return names.fresh(() => run(text, values)).catch(onFailure);
        return run(text, values).catch((error: unknown) => {
          // The transaction has ended by it: the kernel repeats the whole.
          if (isStalePlan(error)) names.outdate();
          return onFailure(error);
        });
      };
      const onPrimary = (text: string, values: unknown[]) => pool.query({ text, values }).catch(onFailure);
      return {
        query: (text: string, values: unknown[]) =>
          standby
            ? query(text, values).catch((error) => standby.recover(error, () => onPrimary(text, values)))
            : query(text, values),
        release: () => (standby ?? client).release(),
      } as unknown as PostgresPoolClient;
    },
    end: () => pool.end(),
  };
};

/** Queries here are short: to start workers or a compiler for one costs more than it saves. */
const planning = '-c TimeZone=UTC -c jit=off -c max_parallel_workers_per_gather=0';

/** A server that hangs, or whose machine is gone, would keep the locks of its transactions until TCP gives up after hours. */
const ending = [
  'idle_in_transaction_session_timeout=10000',
  // Those of the same server that wait in line would each get the lock in turn and keep it as long again.
  'lock_timeout=15000',
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=3',
];
const sessionOptions = [planning, ...ending].join(' -c ');

const queryCanceled = '57014';

/** A query that the caller's filter makes slow is the caller's to narrow: a retry would be as slow. */
const refuseSlow: OnFailure = (error) => {
  if (codeOf(error) === queryCanceled)
    throw new ParleyError('QueryTooComplex', 'The query took too long: narrow its filter');
  throw error;
};

export type Pools = {
  /** Its statements have the time of reads, and those of transactions begun by `beginWrite` that of writes. */
  pool: pg.Pool;
  /** The same: a transaction of it has the time of writes. */
  db: Kysely<Database>;
  /** The handle for work that no caller waits for: jobs, tasks, the collector, the keeping of the log. */
  background: Kysely<Database>;
  /** The handle for filters, sorts and searches that callers write: few connections and a short time, so that ordinary calls never
   * wait for them. */
  queries: Kysely<Database>;
  /** The handle for pages of messages further up. Like `queries`, a replica answers them where there is one. */
  pages: Kysely<Database>;
  /** The same for a statement that must be planned anew each time. */
  search<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]>;
  /** A connection of its own that sends a whole transaction without waiting between statements. */
  connectPipelined(): Promise<pg.Client>;
  /** A hot read: a prepared statement on a connection that many share, without a checkout or a wait in line. */
  read<Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]>;
  /** Runs while no other process runs under the same number; who comes second waits. */
  exclusively<T>(lockId: number, run: () => Promise<T>): Promise<T>;
  /** Connections to the same database whose commits do not wait for the disk: for what can be made again. */
  createUnflushed(): Pools;
  /** Undefined without a configured replica. */
  readonly replicas: Replicas | undefined;
  /** The connections of each pool, and the calls that wait for one. */
  usage(): [pool: string, usage: PoolUsage][];
  /** True from the moment that `end` was called. */
  readonly isEnding: boolean;
  end(): Promise<void>;
};

export type PoolUsage = { open: number; idle: number; waiting: number };

const usageOf = ({ totalCount: open, idleCount: idle, waitingCount: waiting }: pg.Pool): PoolUsage => ({
  open,
  idle,
  waiting,
});

export type Statement = { name: string; text: string };

const readConnections = 4;
const queryConnections = 6;
const backgroundConnections = 4;
const replicaConnections = 10;

/** Connections that take the next statement while the last is under way. For reads outside transactions only. */
const createReaders = (connect: () => Promise<pg.Client>) => {
  const clients = Array.from({ length: readConnections }, () => createKeptConnection(connect));
  const names = createStatementNames();
  let turn = 0;
  let isTurnTaken = false;
  /** Reads that are asked for at once leave on one connection: each further one would wake another process of the database. */
  const next = (): KeptConnection => {
    if (!isTurnTaken) {
      isTurnTaken = true;
      turn = (turn + 1) % readConnections;
      setImmediate(() => {
        isTurnTaken = false;
      });
    }
    return clients[turn] as KeptConnection;
  };
  return {
    async read<Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]> {
      refuseInsideWrite();
      return names.fresh(async () => {
        const client = await next().get();
        const name = names.current(statement.name);
        return (await client.query<Row>({ text: statement.text, name, values })).rows;
      });
    },
    async end(): Promise<void> {
      for (const client of clients) await client.end();
    },
  };
};

/** Runs on a connection of its own: a lock of a session ends with it, whatever happens to the process. */
const exclusively = async <T>(
  connect: () => Promise<pg.Client>,
  lockId: number,
  run: () => Promise<T>,
): Promise<T> => {
  const client = await connect();
  try {
    // The second process waits for as long as the first works.
    await client.query('set statement_timeout = 0; set lock_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [lockId]);
    return await run();
  } finally {
    await client.end();
  }
};

type Report = (error: Error) => void;

const openPool = (settings: pg.PoolConfig, report: Report): pg.Pool => {
  const pool = new pg.Pool({ connectionTimeoutMillis: 10_000, ...settings });
  // Without a listener a restart of the database brings the process down.
  pool.on('error', report);
  // The same for a connection that is in use when it breaks: the pool listens to idle ones only.
  pool.on('connect', (client) => client.on('error', report));
  return pool;
};

const kyselyOn = (pool: pg.Pool, through: Preparing = {}): Kysely<Database> =>
  new Kysely<Database>({
    dialect: new PostgresDialect({ pool: preparing(pool, through) }),
    plugins: [namedColumns],
  });

export type PoolOptions = {
  /** Options of the session. */
  options?: string;
  replicaUrls?: readonly string[];
  warn?(details: object, text: string): void;
};

/** Unlike the primary a replica may be gone without anybody who starts it again: no question to it waits long. */
const openReplica = (
  settings: pg.ClientConfig,
  connect: (given: pg.ClientConfig, onLost: Report) => Promise<pg.Client>,
) => {
  // That one is left out is reported where it is.
  const onLost: Report = () => undefined;
  const given = { ...settings, query_timeout: readMs * 2, connectionTimeoutMillis: readMs };
  return {
    pool: openPool({ ...given, max: replicaConnections }, onLost),
    connect: () => connect({ ...given, query_timeout: readMs }, onLost),
  };
};

type Connect = (given: pg.ClientConfig, onLost?: Report) => Promise<pg.Client>;
type ReplicaOptions = Required<Pick<PoolOptions, 'replicaUrls' | 'warn'>> & { connect: Connect };

const openReplicas = (
  reading: pg.ClientConfig,
  { replicaUrls, connect, warn }: ReplicaOptions,
): Replicas | undefined =>
  replicaUrls.length === 0
    ? undefined
    : new Replicas({
        urls: replicaUrls,
        open: (connectionString) => openReplica({ ...reading, connectionString }, connect),
        connectPrimary: () => connect({ ...reading, query_timeout: readMs }),
        warn,
      });

const searchOn = async <Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  replicas: Replicas | undefined,
  { text, values }: { text: string; values: unknown[] },
): Promise<Row[]> => {
  const onPrimary = async () => (await pool.query<Row>(text, values)).rows;
  const standby = await replicas?.connect();
  if (!standby) return onPrimary().catch(refuseSlow);
  try {
    return (await standby.client.query<Row>(text, values)).rows;
  } catch (error) {
    return await standby.recover(error, onPrimary).catch(refuseSlow);
  } finally {
    standby.release();
  }
};

export const createPools = (
  url: string,
  onError: (error: Error) => void,
  { options = sessionOptions, replicaUrls = [], warn = () => undefined }: PoolOptions = {},
): Pools => {
  const settings = { connectionString: url, types };
  let isEnding = false;
  // Connections outlive `end` for a moment: that the database then goes away is no news.
  const report: Report = (error) => {
    if (!isEnding) onError(error);
  };
  const reading = { ...settings, options: options + endAfter(readMs) };
  const writing = { ...settings, options: options + endAfter(writeMs) };
  const pool = openPool({ ...reading, max: 16 }, report);
  const db = kyselyOn(pool);
  const backgroundPool = openPool({ ...writing, max: backgroundConnections }, report);
  const background = kyselyOn(backgroundPool);
  const queryPool = openPool(
    { ...reading, max: queryConnections, connectionTimeoutMillis: readMs * 2 },
    report,
  );
  const connect = async (given: pg.ClientConfig, onLost = report): Promise<pg.Client> => {
    // The types of the driver do not know this option yet.
    const pipelined = { ...given, pipeline: true };
    const client = new pg.Client(pipelined);
    client.on('error', onLost);
    await client.connect();
    return client;
  };
  const connectPipelined = () => connect(writing);
  const replicas = openReplicas(reading, { replicaUrls, connect, warn });
  const queries = kyselyOn(queryPool, { onFailure: refuseSlow, replicas });
  const pages = replicas ? kyselyOn(pool, { replicas, beginning: 'p' }) : db;
  const readers = createReaders(() => connect(reading));
  return {
    pool,
    db,
    background,
    queries,
    pages,
    replicas,
    search: <Row extends pg.QueryResultRow>(text: string, values: unknown[]) =>
      searchOn<Row>(queryPool, replicas, { text, values }),
    connectPipelined,
    read: readers.read,
    exclusively: (lockId, run) => exclusively(connectPipelined, lockId, run),
    createUnflushed: () =>
      createPools(url, onError, { options: `${sessionOptions} -c synchronous_commit=off` }),
    usage: () => [
      ['writes', usageOf(pool)],
      ['queries', usageOf(queryPool)],
      ['background', usageOf(backgroundPool)],
    ],
    get isEnding() {
      return isEnding;
    },
    end: async () => {
      isEnding = true;
      await readers.end();
      await replicas?.end();
      await Promise.all([db.destroy(), queries.destroy(), background.destroy()]);
    },
  };
};
