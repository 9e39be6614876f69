import { sql } from 'kysely';
import { limitLockWait } from '../db/lock-timeout.ts';
import type { Db } from '../db/schema.ts';
import { codeOf } from '../lib/code-of.ts';

/** The partitions of the log. Each is a week, but for `events_before`, which holds all until a week, and `events_default`, which holds what
 * no other is for. */
export type Partition = {
  name: string;
  /** Null for the one that has no beginning. */
  starts: string | null;
  ends: string | null;
  isDefault: boolean;
};

export type Week = { starts: string; ends: string };

const lockId = 7_236_848;
/** The pages of a table, of 8 kB each, whose old rows are deleted at once. */
const pagesPerStep = 1000;
/** The beginning of the name of a table that is no more part of the log. */
const detachedPrefix = 'parley_detached_';

const checkViolation = '23514';

/** Whether a row could not be stored in `events_default` because the partition of its week was made at that moment: the next try finds it. */
export const isPartitionNew = (error: unknown): boolean =>
  codeOf(error) === checkViolation &&
  typeof error === 'object' &&
  error !== null &&
  'table' in error &&
  error.table === 'events_default' &&
  // A constraint that has a name is one of an administrator, and the next try breaks it too.
  !('constraint' in error && error.constraint !== undefined);

export const findNow = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ now: string }>`select now() as now`.execute(db);
  return Date.parse(rows[0]?.now ?? '');
};

export const listPartitions = async (db: Db): Promise<Partition[]> => {
  const { rows } = await sql<Partition>`
    select name, bound = 'DEFAULT' as "isDefault",
      substring(bound from 'FROM \\(''([^'']+)''\\)')::timestamptz as starts,
      substring(bound from 'TO \\(''([^'']+)''\\)')::timestamptz as ends
    from (select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
      from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'events'::regclass) partition
    order by ends`.execute(db);
  return rows;
};

/** The weeks of which rows are in `events_default`, between two times, and how many. */
export const listStrayWeeks = async (
  db: Db,
  { starts, ends }: Week,
): Promise<{ week: string; count: number }[]> => {
  const { rows } = await sql<{ week: string; count: number }>`
    select date_trunc('week', created_at, 'UTC') as week, count(*)::integer as count from events_default
    where created_at >= ${starts} and created_at < ${ends} group by 1`.execute(db);
  return rows;
};

/** Runs while no other server changes the partitions, or not at all: false then. It gives up a lock that it does not get at once, because
 * sends wait behind it. */
const alone = (db: Db, run: (trx: Db) => Promise<unknown>): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(${lockId}) as got`.execute(
      trx,
    );
    if (!rows[0]?.got) return false;
    await limitLockWait(trx);
    await run(trx);
    return true;
  });

const hasPartition = async (db: Db, name: string): Promise<boolean> =>
  (await listPartitions(db)).some((partition) => partition.name === name);

/** As the table has them: a newer server may have added one. */
const listColumns = async (db: Db) => {
  const { rows } = await sql<{ name: string }>`select attname as name from pg_attribute
    where attrelid = 'events'::regclass and attnum > 0 and not attisdropped`.execute(db);
  return rows.map(({ name }) => sql.id(name));
};

/** Makes the partition of a week and moves the rows of that week into it. Readers of the log wait meanwhile, so they should be few. */
export const addWeek = (db: Db, name: string, { starts, ends }: Week): Promise<boolean> =>
  alone(db, async (trx) => {
    if (await hasPartition(trx, name)) return;
    const table = sql.id(name);
    const ofWeek = sql`created_at >= ${starts} and created_at < ${ends}`;
    // In the order in which PostgreSQL takes them below. A row that came in between could not be attached.
    await sql`lock table events in share update exclusive mode`.execute(trx);
    await sql`lock table events_default in access exclusive mode`.execute(trx);
    await sql`create table ${table} (like events including all, primary key (cid, seq))`.execute(trx);
    const columns = sql.join(await listColumns(trx));
    await sql`with moved as (delete from events_default where ${ofWeek} returning ${columns})
      insert into ${table} (${columns}) select ${columns} from moved`.execute(trx);
    await sql`alter table events attach partition ${table}
      for values from (${sql.lit(starts)}) to (${sql.lit(ends)})`.execute(trx);
  });

/** Takes a partition out of the log; its rows are on the disk until it is dropped. The new name says that the table is of no more use. */
export const detachPartition = (db: Db, name: string): Promise<boolean> =>
  alone(db, async (trx) => {
    if (!(await hasPartition(trx, name))) return;
    await sql`alter table events detach partition ${sql.id(name)}`.execute(trx);
    await sql`alter table ${sql.id(name)} rename to ${sql.id(detachedPrefix + name)}`.execute(trx);
  });

/** Drops what was detached. A step of its own, for nobody waits for it: the files of a large table take a while. */
export const dropDetached = async (db: Db, onDropped: (table: string) => void): Promise<void> => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and not relispartition
      and starts_with(relname, ${detachedPrefix})`.execute(db);
  for (const { name } of rows)
    if (await alone(db, (trx) => sql`drop table if exists ${sql.id(name)}`.execute(trx))) onDropped(name);
};

/** The pages of a partition that have rows from before this time. */
const findPages = async (db: Db, name: string, time: string): Promise<{ first: number; last: number }> => {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select (min(ctid)::text::point)[0]::bigint as first, (max(ctid)::text::point)[0]::bigint as last
    from ${sql.id(name)} where created_at < ${time}`.execute(db);
  return { first: rows[0]?.first ?? 0, last: rows[0]?.last ?? -1 };
};

/** Deletes the rows of a partition that are older than this, in small steps, unless another server is at it. */
export const deleteRowsBefore = async (
  db: Db,
  { name, time, isStopped }: { name: string; time: string; isStopped(): boolean },
): Promise<void> => {
  let pages = { first: 0, last: -1 };
  let isOwn = await alone(db, async (trx) => {
    // As long as it takes: nobody waits for a read.
    await sql`set local statement_timeout = 0`.execute(trx);
    if (await hasPartition(trx, name)) pages = await findPages(trx, name, time);
  });
  for (let page = pages.first; isOwn && page <= pages.last && !isStopped(); page += pagesPerStep) {
    const [from, to] = [page, page + pagesPerStep].map((at) => sql`${`(${at},0)`}::tid`);
    isOwn = await alone(db, async (trx) => {
      if (await hasPartition(trx, name))
        await sql`delete from ${sql.id(name)}
          where ctid >= ${from} and ctid < ${to} and created_at < ${time}`.execute(trx);
    });
  }
};
