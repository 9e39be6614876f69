import type { KeptConnection } from './kept-connection.ts';

/** Names the run of this PostgreSQL as the primary. After a failover, or a restart, it is another one: the positions of two primaries
 * say nothing about each other, whatever their numbers. */
const ownRun = `extract(epoch from pg_postmaster_start_time())::text || ' ' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8)`;

export const statements = {
  primary: `select (pg_current_wal_flush_lsn() - '0/0')::bigint as position, id as deployment, ${ownRun} as run, primary_run as stored
    from deployment`,
  replica: `select (pg_last_wal_replay_lsn() - '0/0')::bigint as position, id as deployment, primary_run as run from deployment`,
  /** The row reaches only replicas that follow this primary. */
  storeRun: `update deployment set primary_run = ${ownRun} where primary_run is distinct from ${ownRun}`,
};
/** `run` is that of the primary which is followed. */
export type Position = { position: number | null; deployment: string; run: string | null };
export type PrimaryPosition = Position & { stored: string | null };
export const unknown: PrimaryPosition = { position: null, deployment: '', run: null, stored: null };

export const readPosition = async <P extends Position>(
  connection: KeptConnection,
  text: string,
): Promise<P | undefined> => {
  try {
    const client = await connection.get();
    return (await client.query<P>(text)).rows[0];
  } catch (error) {
    void connection.end();
    throw error;
  }
};
