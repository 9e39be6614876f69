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

/** The weeks of which rows are in `events_default`, from a time on, and how many, in the order of time. */
export const listStrayWeeks = async (db: Db, starts: string): Promise<{ week: string; count: number }[]> => {
  const { rows } = await sql<{ week: string; count: number }>`
    select date_trunc('week', created_at, 'UTC') as week, count(*)::integer as count from events_default
    where created_at >= ${starts} group by 1 order by 1`.execute(db);
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

/** Makes the default partition that of the time between, which holds most of its rows, and puts an empty one in its place. Nothing of
 * that time moves, whatever its number; the few rows of other times move to the new one. */
export const splitDefault = (db: Db, name: string, { starts, ends }: Week): Promise<boolean> =>
  alone(db, async (trx) => {
    // Another server may just have done it.
    if (await hasPartition(trx, name)) return;
    const table = sql.id(name);
    await sql`lock table events in access exclusive mode`.execute(trx);
    await sql`alter table events detach partition events_default`.execute(trx);
    await sql`alter table events_default rename to ${table}`.execute(trx);
    for (const part of ['pkey', 'age'])
      await sql`alter index ${sql.id(`events_default_${part}`)} rename to ${sql.id(`${name}_${part}`)}`.execute(
        trx,
      );
    await sql`create table events_default (like events including all, primary key (cid, seq))`.execute(trx);
    await sql`create index events_default_age on events_default (created_at)`.execute(trx);
    const columns = sql.join(await listColumns(trx));
    await sql`with moved as (delete from ${table} where created_at < ${starts} or created_at >= ${ends} returning ${columns})
      insert into events_default (${columns}) select ${columns} from moved`.execute(trx);
    await sql`alter table events attach partition ${table}
      for values from (${sql.lit(starts)}) to (${sql.lit(ends)})`.execute(trx);
    await sql`alter table events attach partition events_default default`.execute(trx);
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

/** The pages of a table, of 8 kB each, whose old rows are deleted at once; fewer where that takes too long. */
const pagesPerStep = 1000;

const queryCanceled = '57014';

/** The rows of a partition from before a time; who stops the server waits for a step of deleting them. */
type Old = { name: string; time: string; stepMs: number };
type Pages = { first: number; last: number };

/** The pages of a partition that have rows from before this time. */
const findPages = async (db: Db, { name, time }: Old): Promise<Pages> => {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select (min(ctid)::text::point)[0]::bigint as first, (max(ctid)::text::point)[0]::bigint as last
    from ${sql.id(name)} where created_at < ${time}`.execute(db);
  return { first: rows[0]?.first ?? 0, last: rows[0]?.last ?? -1 };
};

const allPages = async (db: Db, { name }: Old): Promise<Pages> => {
  const { rows } = await sql<{ last: number }>`
    select (pg_relation_size(${name}::regclass) / current_setting('block_size')::bigint)::bigint - 1 as last`.execute(
    db,
  );
  return { first: 0, last: rows[0]?.last ?? -1 };
};

const deletePages = async (db: Db, { name, time }: Old, pages: Pages): Promise<void> => {
  const [from, to] = [pages.first, pages.last + 1].map((at) => sql`${`(${at},0)`}::tid`);
  await sql`delete from ${sql.id(name)}
    where ctid >= ${from} and ctid < ${to} and created_at < ${time}`.execute(db);
};

/** The answer of one step, `none` where another server is at it or the partition is gone, or undefined where it took too long. */
const inTime = async <T>(
  db: Db,
  { name, stepMs }: Old,
  run: (trx: Db) => Promise<T>,
  none: T,
): Promise<T | undefined> => {
  let answer = none;
  try {
    await alone(db, async (trx) => {
      await sql`set local statement_timeout = ${sql.lit(stepMs)}`.execute(trx);
      if (await hasPartition(trx, name)) answer = await run(trx);
    });
  } catch (error) {
    if (codeOf(error) !== queryCanceled) throw error;
    return undefined;
  }
  return answer;
};

/** Deletes the rows of a partition that are older than this, in steps that each end in time, unless another server is at it. Where it is
 * not even found in time which pages hold such rows, all of them are looked at, step by step. */
export const deleteRowsBefore = async (
  db: Db,
  { isStopped, ...old }: Old & { isStopped(): boolean },
): Promise<void> => {
  const nothing: Pages = { first: 0, last: -1 };
  const { first, last } =
    (await inTime(db, old, (trx) => findPages(trx, old), nothing)) ??
    (await inTime(db, old, (trx) => allPages(trx, old), nothing)) ??
    nothing;
  let most = pagesPerStep;
  for (let page = first; page <= last && !isStopped(); ) {
    const pages = { first: page, last: page + most - 1 };
    const isDone = await inTime(
      db,
      old,
      async (trx) => {
        await deletePages(trx, old, pages);
        return true;
      },
      false,
    );
    if (isDone === false) return;
    if (isDone) page += most;
    else if (most === 1) return;
    else most = Math.ceil(most / 10);
  }
};
