import { sql } from 'kysely';
import { limitLockWait } from '../db/lock-timeout.ts';
import type { Db } from '../db/schema.ts';

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
const stepSize = 10_000;
/** While rows are moved out of `events_default` readers of the log wait, so more than these stay there until they are too old. */
const mostMoved = 50_000;

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

/** The weeks of which rows are in `events_default`, between two times. */
export const listStrayWeeks = async (db: Db, { starts, ends }: Week): Promise<string[]> => {
  const { rows } = await sql<{ week: string }>`
    select distinct date_trunc('week', created_at, 'UTC') as week from events_default
    where created_at >= ${starts} and created_at < ${ends}`.execute(db);
  return rows.map(({ week }) => week);
};

/** Runs while no other server changes the partitions, or not at all. It gives up a lock that it does not get at once, because sends
 * wait behind it. */
const alone = (db: Db, run: (trx: Db) => Promise<unknown>): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(${lockId}) as got`.execute(
      trx,
    );
    if (!rows[0]?.got) return;
    await limitLockWait(trx);
    await run(trx);
  });

const hasPartition = async (db: Db, name: string): Promise<boolean> =>
  (await listPartitions(db)).some((partition) => partition.name === name);

/** As the table has them: a newer server may have added one. */
const listColumns = async (db: Db) => {
  const { rows } = await sql<{ name: string }>`select attname as name from pg_attribute
    where attrelid = 'events'::regclass and attnum > 0 and not attisdropped`.execute(db);
  return rows.map(({ name }) => sql.id(name));
};

/** Makes the partition of a week and moves the rows of that week into it, if they are not too many. */
export const addWeek = (db: Db, name: string, { starts, ends }: Week): Promise<void> =>
  alone(db, async (trx) => {
    if (await hasPartition(trx, name)) return;
    const table = sql.id(name);
    const ofWeek = sql`created_at >= ${starts} and created_at < ${ends}`;
    // In the order in which PostgreSQL takes them below. A row that came in between could not be attached.
    await sql`lock table events in share update exclusive mode`.execute(trx);
    await sql`lock table events_default in access exclusive mode`.execute(trx);
    const { rows } = await sql<{ many: boolean }>`
      select exists (select from events_default where ${ofWeek} offset ${mostMoved}) as many`.execute(trx);
    if (rows[0]?.many) return;
    await sql`create table ${table} (like events including all, primary key (cid, seq))`.execute(trx);
    const columns = sql.join(await listColumns(trx));
    await sql`with moved as (delete from events_default where ${ofWeek} returning ${columns})
      insert into ${table} (${columns}) select ${columns} from moved`.execute(trx);
    await sql`alter table events attach partition ${table}
      for values from (${sql.lit(starts)}) to (${sql.lit(ends)})`.execute(trx);
  });

/** Takes a partition out of the log; its rows are on the disk until it is dropped. */
export const detachPartition = (db: Db, name: string): Promise<void> =>
  alone(db, async (trx) => {
    if (await hasPartition(trx, name))
      await sql`alter table events detach partition ${sql.id(name)}`.execute(trx);
  });

/** Drops what was detached. A step of its own, for nobody waits for it: the files of a large table take a while. */
export const dropDetached = async (db: Db): Promise<void> => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and not relispartition
      and relname ~ '^events_(before|[0-9]{8})$'`.execute(db);
  for (const { name } of rows)
    await alone(db, (trx) => sql`drop table if exists ${sql.id(name)}`.execute(trx));
};

/** Deletes the rows of a partition that are older than this, so few at once that nobody waits for long. */
export const deleteRowsBefore = async (db: Db, name: string, time: string): Promise<void> => {
  const table = sql.id(name);
  let isMore = true;
  while (isMore) {
    const { numAffectedRows } = await sql`delete from ${table} where ctid = any(array(
      select ctid from ${table} where created_at < ${time} limit ${stepSize}))`.execute(db);
    isMore = Number(numAffectedRows) === stepSize;
  }
};
