import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Generated, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { startEmbeddedPostgres } from '../db/embedded.ts';
import {
  boolField,
  defineFields,
  idField,
  numberField,
  type QueryContext,
  relationField,
  textField,
  timeField,
} from './fields.ts';

export interface Thing {
  id: string;
  name: string | null;
  size: number | null;
  weight: number;
  open: boolean | null;
  at: string | null;
  owner: string;
  tags: string[];
  data: Record<string, unknown>;
}

export interface ThingsDatabase {
  things: Thing & { seq: Generated<number> };
}

export const thingFields = defineFields<QueryContext>(
  {
    id: idField('things.id', { sort: { nullable: false } }),
    name: textField('things.name', { sort: { nullable: true } }),
    size: numberField('things.size', { sort: { nullable: true } }),
    weight: numberField('things.weight', { sqlType: 'double precision', sort: { nullable: false } }),
    open: boolField('things.open', { sort: { nullable: true } }),
    at: timeField('things.at', { sort: { nullable: true } }),
    secret: textField('things.owner', { operators: [], sort: { nullable: false } }),
    mine: boolField((context) => sql`(things.owner = ${context.actorId})`),
    tags: relationField({
      operators: { $in: 'id[]', $nin: 'id[]', $contains: 'id', $exists: 'boolean' },
      compile: (operator, value) => {
        if (operator === '$in') return sql`(things.tags && ${value}::text[])`;
        if (operator === '$contains') return sql`(${value}::text = any(things.tags))`;
        return sql`(cardinality(things.tags) > 0)`;
      },
    }),
  },
  {
    resource: 'things',
    tieBreaker: 'id',
    defaultSort: [{ field: 'at', direction: -1 }],
    custom: 'things.data',
  },
);

async function startServer() {
  const url = process.env.PARLEY_TEST_PG;
  if (url) return { url, stop: async () => {} };
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-query-'));
  const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url: server.url, stop };
}

/** A temporary table, so files may run side by side on one server; the server sorts text as C.UTF-8, like ours. */
export async function openThings() {
  const server = await startServer();
  const pool = new pg.Pool({ connectionString: server.url, max: 1, idleTimeoutMillis: 0 });
  pool.on('error', () => {});
  const db = new Kysely<ThingsDatabase>({ dialect: new PostgresDialect({ pool }) });
  await sql`create temporary table things (
    id text collate "C" primary key, name text, size integer, weight double precision not null,
    open boolean, at timestamptz(3), owner text collate "C" not null, tags text[] not null, data jsonb not null,
    seq serial)`.execute(db);
  const insert = async (things: readonly Thing[]) => {
    if (things.length === 0) return;
    const values = things.map((thing) => ({
      ...thing,
      data: sql<Thing['data']>`${JSON.stringify(thing.data)}::jsonb`,
    }));
    await db.insertInto('things').values(values).execute();
  };
  const close = async () => {
    await db.destroy();
    await server.stop();
  };
  return { db, insert, close };
}
