import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from './schema.ts';

/** '2026-01-31 12:00:00.5+00' → '2026-01-31T12:00:00.500Z'; the session's time zone is UTC. */
export const parseTime = (text: string): string => {
  const fraction = text.length > 22 ? text.slice(20, text.length - 3).padEnd(3, '0') : '000';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`;
};

const timestamptz = 1184;
const bigint = 20;

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === timestamptz) return parseTime;
    if (oid === bigint) return Number;
    return pg.types.getTypeParser(oid, format ?? 'text');
  },
} as pg.CustomTypesConfig;

const sessionOptions = '-c TimeZone=UTC';

export type Pools = {
  pool: pg.Pool;
  db: Kysely<Database>;
  /** A connection of its own that sends a whole transaction without waiting between statements. */
  connectPipelined(): Promise<pg.Client>;
  end(): Promise<void>;
};

export const createPools = (url: string, onError: (error: Error) => void): Pools => {
  const settings = { connectionString: url, types, options: sessionOptions };
  const pool = new pg.Pool({ ...settings, max: 16, connectionTimeoutMillis: 10_000 });
  // Without a listener a restart of the database brings the process down.
  pool.on('error', onError);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return {
    pool,
    db,
    connectPipelined: async () => {
      const client = new pg.Client({ ...settings, pipeline: true } as pg.ClientConfig);
      client.on('error', onError);
      await client.connect();
      return client;
    },
    end: () => db.destroy(),
  };
};
