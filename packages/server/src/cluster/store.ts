import { sql } from 'kysely';
import type { BusEvent } from '../bus/bus.ts';
import type { Db } from '../db/schema.ts';
import type { LogEnd } from './channel-order.ts';

type Stale = Extract<BusEvent, { kind: 'stale' }>;

/** A server whose sign of life in the database is older than this may be dead. By the clock of the database: those of two servers
 * may be apart. */
const aliveFor = sql`interval '8 seconds'`;
const keepFor = sql`interval '1 hour'`;

export const registerServer = async (db: Db, id: string): Promise<void> => {
  await db
    .insertInto('servers')
    .values({ id })
    .onConflict((oc) => oc.column('id').doUpdateSet({ beat_at: sql`now()` }))
    .execute();
};

export type Roll = {
  /** False where others took this server for dead: its rows are gone. */
  isListed: boolean;
  alive: string[];
  silent: string[];
};

/** Gives a sign of life, and says who else gave one. */
export const beat = async (db: Db, id: string): Promise<Roll> => {
  const own = await db
    .updateTable('servers')
    .set({ beat_at: sql`now()` })
    .where('id', '=', id)
    .returning('id')
    .execute();
  const others = await db
    .selectFrom('servers')
    .select(['id', sql<boolean>`beat_at > now() - ${aliveFor}`.as('is_alive')])
    .where('id', '<>', id)
    .execute();
  return {
    isListed: own.length > 0,
    alive: others.filter((row) => row.is_alive).map((row) => row.id),
    silent: others.filter((row) => !row.is_alive).map((row) => row.id),
  };
};

/** Takes servers off the list, with what they left in the database. */
export const removeServers = async (db: Db, ids: readonly string[]): Promise<void> => {
  await db.deleteFrom('servers').where('id', 'in', ids).execute();
  await db.deleteFrom('watcher_counts').where('server_id', 'in', ids).execute();
};

/** The id of the deployment: servers that share a bus with other deployments hear only their own. */
export const deploymentId = async (db: Db): Promise<string> =>
  (await db.selectFrom('deployment').select('id').executeTakeFirstOrThrow()).id;

/** Stores in the transaction of a change which cache entries it makes stale, for the servers that no text reaches. */
export const storeStale = async (db: Db, from: string, entries: readonly Stale[]): Promise<void> => {
  const rows = entries.map(({ what, key, userId }) => ({
    server_id: from,
    what,
    key,
    user_id: userId ?? null,
  }));
  await db.insertInto('stale_entries').values(rows).execute();
};

export type StalePage = { entries: { id: number; event: Stale }[]; low: string };

/** The entries of other servers since `low`. Transactions commit in another order than they store their entries: `low` is the oldest
 * transaction that may still commit, so that an entry is read again rather than missed. */
export const listStale = async (db: Db, self: string, low: string | undefined): Promise<StalePage> => {
  const { rows } = await sql<{
    low: string;
  }>`select pg_snapshot_xmin(pg_current_snapshot())::text as low`.execute(db);
  const next = rows[0]?.low ?? '0';
  if (low === undefined) return { entries: [], low: next };
  const found = await db
    .selectFrom('stale_entries')
    .select(['id', 'what', 'key', 'user_id'])
    .where(sql<boolean>`xid >= ${low}::text::xid8`)
    .where('server_id', '<>', self)
    .orderBy('id')
    .execute();
  const entries = found.map(({ id, what, key, user_id }) => ({
    id,
    event: {
      kind: 'stale' as const,
      what,
      key,
      ...(user_id === null ? {} : { userId: user_id }),
    },
  }));
  return { entries, low: next };
};

export const deleteOldEntries = async (db: Db): Promise<void> => {
  await db.deleteFrom('stale_entries').where('created_at', '<', sql<string>`now() - ${keepFor}`).execute();
  await db.deleteFrom('bus_texts').where('created_at', '<', sql<string>`now() - ${keepFor}`).execute();
};

export const storeText = async (db: Db, text: string): Promise<number> =>
  (await db.insertInto('bus_texts').values({ text }).returning('id').executeTakeFirstOrThrow()).id;

export const findText = async (db: Db, id: number): Promise<string | undefined> =>
  (await db.selectFrom('bus_texts').select('text').where('id', '=', id).executeTakeFirst())?.text;

export const findLogEnds = async (db: Db, cids: string[]): Promise<Map<string, LogEnd>> => {
  const rows = await db
    .selectFrom('channels')
    .select(['cid', 'seq', 'log_id'])
    .where('cid', 'in', cids)
    .execute();
  return new Map(rows.map(({ cid, seq, log_id: logId }) => [cid, { logId, seq }]));
};

/** The number of connections that watch each channel on other servers. */
export const countWatchersElsewhere = async (
  db: Db,
  self: string,
  cids: readonly string[],
): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('watcher_counts')
    .select(['cid', sql<number>`sum(watchers)::integer`.as('watchers')])
    .where('cid', 'in', cids)
    .where('server_id', '<>', self)
    .groupBy('cid')
    .execute();
  return new Map(rows.map(({ cid, watchers }) => [cid, watchers]));
};

export const storeWatchers = async (
  db: Db,
  self: string,
  counts: ReadonlyMap<string, number>,
): Promise<void> => {
  const gone = [...counts].filter(([, watchers]) => watchers === 0).map(([cid]) => cid);
  const rows = [...counts]
    .filter(([, watchers]) => watchers > 0)
    .map(([cid, watchers]) => ({ cid, server_id: self, watchers }));
  if (gone.length > 0)
    await db.deleteFrom('watcher_counts').where('server_id', '=', self).where('cid', 'in', gone).execute();
  if (rows.length > 0)
    await db
      .insertInto('watcher_counts')
      .values(rows)
      .onConflict((oc) =>
        oc.columns(['cid', 'server_id']).doUpdateSet({ watchers: (eb) => eb.ref('excluded.watchers') }),
      )
      .execute();
};
