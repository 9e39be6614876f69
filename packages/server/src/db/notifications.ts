import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from './schema.ts';

/** Makes the connection emit `notification` for what is sent to the channel from now on. `channel` is a plain name, never input. */
export const listenTo = async (client: pg.Client, channel: string): Promise<void> => {
  await client.query(`listen ${channel}`);
};

/** Is sent with the commit of the transaction, and not at all without it. */
export const sendNotification = async (db: Db, channel: string, payload: string): Promise<void> => {
  await sql`select pg_notify(${channel}, ${payload})`.execute(db);
};
