import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { BusEvent } from '../bus/bus.ts';
import type { Db } from '../db/schema.ts';
import type { LogEnd } from './channel-order.ts';
import { deleteLostConnections, deleteOldBudgets, dropLimitsOf } from './limits-store.ts';

type Stale = Extract<BusEvent, { kind: 'stale' }>;

/** A server whose sign of life in the database is older than this may be dead. By the clock of the database: those of two servers
 * may be apart. */
const aliveFor = sql`interval '8 seconds'`;
/** Longer than the longest silence after which a server still believes its caches. */
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
  /** The time of the database in milliseconds. */
  now: number | undefined;
  alive: string[];
  silent: string[];
};

/** Gives a sign of life, and says who else gave one. */
export const beat = async (db: Db, id: string): Promise<Roll> => {
  const own = await db
    .updateTable('servers')
    .set({ beat_at: sql`now()` })
    .where('id', '=', id)
    .returning(sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`.as('now'))
    .execute();
  const others = await db
    .selectFrom('servers')
    .select(['id', sql<boolean>`beat_at > now() - ${aliveFor}`.as('is_alive')])
    .where('id', '<>', id)
    .execute();
  return {
    isListed: own.length > 0,
    now: own[0]?.now,
    alive: others.filter((row) => row.is_alive).map((row) => row.id),
    silent: others.filter((row) => !row.is_alive).map((row) => row.id),
  };
};

/** Takes servers off the list, with what they left in the database. */
export const removeServers = async (db: Db, ids: readonly string[]): Promise<void> => {
  await dropLimitsOf(db, ids);
  await db.deleteFrom('servers').where('id', 'in', ids).execute();
  await db.deleteFrom('watcher_counts').where('server_id', 'in', ids).execute();
};

/** The id of the deployment: servers that share a bus with other deployments receive only their own. A copy of the database holds the
 * same row: by its place it has an id of its own. */
export const deploymentId = async (db: Db): Promise<string> => {
  const row = await db
    .selectFrom('deployment')
    .select([
      'id',
      sql<string>`current_database() || ' ' || (select oid from pg_database where datname = current_database())
        || ' ' || (select system_identifier from pg_control_system())`.as('place'),
    ])
    .executeTakeFirstOrThrow();
  return createHash('sha256').update(`${row.id} ${row.place}`).digest('hex').slice(0, 32);
};

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

/** A moment of the database: the transactions before `next` have ended, except for those that are `open`. */
export type Moment = { next: string; open: string[] };
export type StalePage = {
  entries: Stale[];
  moment: Moment;
  /** The moment before is not of this database: one that lagged behind, or a backup, took its place. */
  isOlder: boolean;
};

type StaleRow = {
  next: string;
  open: string[];
  is_older: boolean;
  what: Stale['what'] | null;
  key: string;
  user_id: string | null;
};

/** The entries of other servers whose transactions have ended since the moment before, each once. Transactions commit in another order
 * than they begin: those that were open then are looked for by name, however long they took. */
export const listStale = async (db: Db, self: string, before: Moment | undefined): Promise<StalePage> => {
  const { next, open } = before ?? { next: '0', open: [] };
  const { rows } = await sql<StaleRow>`
    with moment as materialized (select pg_current_snapshot() as snapshot)
    select pg_snapshot_xmax(snapshot)::text as next,
      array(select pg_snapshot_xip(snapshot)::text) as open,
      pg_snapshot_xmax(snapshot) < ${next}::text::xid8 as is_older,
      entry.what, entry.key, entry.user_id
    from moment left join lateral (
      select id, what, key, user_id from stale_entries
      where ${before !== undefined} and server_id <> ${self}
      and (xid >= ${next}::text::xid8 or xid = any(${open}::text[]::xid8[]))
    ) entry on true order by entry.id`.execute(db);
  const entries = rows.flatMap(({ what, key, user_id }) =>
    what === null
      ? []
      : [{ kind: 'stale' as const, what, key, ...(user_id === null ? {} : { userId: user_id }) }],
  );
  const [first] = rows;
  return {
    entries,
    moment: { next: first?.next ?? '0', open: first?.open ?? [] },
    isOlder: first?.is_older ?? false,
  };
};

export const deleteOldEntries = async (db: Db): Promise<void> => {
  await db.deleteFrom('stale_entries').where('created_at', '<', sql<string>`now() - ${keepFor}`).execute();
  await deleteOldBudgets(db);
  await deleteLostConnections(db);
  await sql`delete from watcher_counts where server_id not in (select id from servers)`.execute(db);
  await db.deleteFrom('bus_texts').where('created_at', '<', sql<string>`now() - ${keepFor}`).execute();
};

export const storeText = async (db: Db, text: string): Promise<number> =>
  (await db.insertInto('bus_texts').values({ text }).returning('id').executeTakeFirstOrThrow()).id;

export const findText = async (db: Db, id: number): Promise<string | undefined> =>
  (await db.selectFrom('bus_texts').select('text').where('id', '=', id).executeTakeFirst())?.text;

/** Reads the text and removes it. */
export const takeText = async (db: Db, id: number): Promise<string | undefined> =>
  (await db.deleteFrom('bus_texts').where('id', '=', id).returning('text').executeTakeFirst())?.text;

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
