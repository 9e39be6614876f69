import pg from 'pg';
import { countError, createCounters } from './counters.ts';
import { createPacer } from './rate-lane.ts';
import { type Lane, until } from './rounds.ts';

type Query = { name: string; text: string; values: unknown[]; rows: number };

/** Each connection repeats one prepared statement, by itself a transaction. */
const openSqlLane = async (databaseUrl: string, connections: number, query: Query): Promise<Lane> => {
  const counters = createCounters();
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    }),
  );
  let running = false;
  let active = 0;
  const loop = async (client: pg.Client) => {
    active += 1;
    try {
      while (running) {
        const begin = performance.now();
        const { rowCount } = await client.query({ name: query.name, text: query.text, values: query.values });
        if (rowCount !== query.rows) throw new Error(`${query.name}: ${rowCount} rows, not ${query.rows}`);
        counters.acks += 1;
        if (counters.measuring) counters.latencies.push(performance.now() - begin);
      }
    } catch (error) {
      countError(counters, String(error));
    }
    active -= 1;
  };
  return {
    name: 'sql',
    counters,
    start() {
      running = true;
      for (const client of clients) void loop(client);
    },
    async stop() {
      running = false;
      await until(() => active === 0, 5000);
    },
    async close() {
      await Promise.all(clients.map((client) => client.end()));
    },
  };
};

const rowBytes = 600;

const commit: Query = {
  name: 'commit',
  text: 'insert into bench_rows (body) values ($1)',
  values: ['x'.repeat(rowBytes)],
  rows: 1,
};

const openCommitter = async (databaseUrl: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    'create table if not exists bench_rows (id bigint generated always as identity primary key, body text not null)',
  );
  return client;
};

/** The limit of a server that commits each message by itself. */
export const openCommitsLane = async (databaseUrl: string, connections: number): Promise<Lane> => {
  await (await openCommitter(databaseUrl)).end();
  return openSqlLane(databaseUrl, connections, commit);
};

/** One-row commits at even distances on one connection: how long the disk takes by itself. */
export const openCommitsRateLane = async (databaseUrl: string, perSecond: number): Promise<Lane> => {
  const counters = createCounters();
  const client = await openCommitter(databaseUrl);
  let waiting = 0;
  const pacer = createPacer(perSecond, () => {
    const begin = performance.now();
    waiting += 1;
    client.query({ name: commit.name, text: commit.text, values: commit.values }).then(
      () => {
        waiting -= 1;
        counters.acks += 1;
        if (counters.measuring) counters.latencies.push(performance.now() - begin);
      },
      (error: unknown) => countError(counters, String(error)),
    );
  });
  return {
    name: 'sql',
    counters,
    start: pacer.start,
    async stop() {
      pacer.stop();
      await until(() => waiting === 0, 3000);
    },
    close: () => client.end(),
  };
};

/** The rows behind a page of history, without a server in between. */
export const openHistorySqlLane = (databaseUrl: string, connections: number, cid: string): Promise<Lane> =>
  openSqlLane(databaseUrl, connections, {
    name: 'history',
    text: `select * from messages where cid = $1 and (parent_id is null or show_in_channel)
           order by created_at desc, seq desc limit 30`,
    values: [cid],
    rows: 30,
  });
