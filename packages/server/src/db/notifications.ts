import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from './schema.ts';

const channel = 'parley_bus';
const send = { name: 'parley_notify', text: `select pg_notify('${channel}', $1)` };

/** The commits of the connection do not wait for the disk: for what nobody misses after a crash. */
export const commitUnflushed = async (client: pg.Client): Promise<void> => {
  await client.query('set synchronous_commit = off');
};

/** Makes the connection emit `notification` for what servers on this database send from now on. */
export const listenToServers = async (client: pg.Client): Promise<void> => {
  await client.query(`listen ${channel}`);
};

/** Sends to all connections that listen, at once. */
export const notifyServers = async (client: pg.Client, payload: string): Promise<void> => {
  await client.query({ ...send, values: [payload] });
};

/** The same with the commit of the transaction, and not at all without it. */
export const notifyServersInside = async (db: Db, payloads: readonly string[]): Promise<void> => {
  await sql`select pg_notify(${channel}, text) from unnest(${payloads}::text[]) text`.execute(db);
};

/** Any number: no other lock of this database has it. */
const placeLocks = 7_225_531;

/** Marks the server as alive for as long as this connection is open: the database ends it at once when the process dies. */
export const holdPlace = async (client: pg.Client, serverId: string): Promise<void> => {
  await client.query('select pg_advisory_lock_shared($1, hashtext($2) & 2147483647)', [placeLocks, serverId]);
};

/** The servers among these that hold their place. */
export const listPlaces = async (db: Db, serverIds: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${serverIds}::text[]) id where exists (
      select from pg_locks where locktype = 'advisory' and classid = ${placeLocks}
      and database = (select oid from pg_database where datname = current_database())
      and objid = (hashtext(id) & 2147483647)::oid)`.execute(db);
  return rows.map(({ id }) => id);
};
