import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from './schema.ts';

const channel = 'parley_bus';
const send = { name: 'parley_notify', text: `select pg_notify('${channel}', $1)` };

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
