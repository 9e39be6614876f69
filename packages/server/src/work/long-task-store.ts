import { type Insertable, type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import type { Database } from '../db/schema.ts';
import type { TasksTable } from '../db/tasks-table.ts';

type Db = Kysely<Database>;
export type TaskRow = Selectable<TasksTable>;

export const insertTask = async (db: Db, task: Insertable<TasksTable>): Promise<void> => {
  await db.insertInto('tasks').values(task).execute();
};

export const findTask = (db: Db, id: string): Promise<TaskRow | undefined> =>
  db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();

/** When the next task of these kinds can be claimed. */
export const findNextTask = async (db: Db, kinds: string[]): Promise<string | undefined> => {
  const { rows } = await sql<{ at: string | null }>`
    select min(case status when 'waiting' then created_at else leased_until end) as at from tasks
    where status in ('waiting', 'running') and kind = any(${kinds})`.execute(db);
  return rows[0]?.at ?? undefined;
};

/** Takes the oldest task that waits, or whose lease is over. Of several servers one gets it. */
export const claimTask = (db: Db, kinds: string[], now: string, until: string) =>
  db
    .updateTable('tasks')
    .set((eb) => ({
      status: 'running',
      leased_until: until,
      updated_at: now,
      attempts: eb('attempts', '+', 1),
      failures: sql<number>`failures + (status = 'running')::int`,
    }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('tasks')
        .select('id')
        .where('kind', '=', sql<string>`any(${kinds})`)
        .where((or) =>
          or.or([
            or('status', '=', 'waiting'),
            or.and([or('status', '=', 'running'), or('leased_until', '<=', now)]),
          ]),
        )
        .orderBy('created_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();

/** False when the task was cancelled, or another server has claimed it since. */
export const updateClaimed = async (
  db: Db,
  { id, attempts }: Pick<TaskRow, 'id' | 'attempts'>,
  values: Updateable<TasksTable>,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('tasks')
    .set(values)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** False when the task is over already. */
export const cancelTask = async (db: Db, id: string, error: string, now: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('tasks')
    .set({ status: 'failed', error, leased_until: null, updated_at: now })
    .where('id', '=', id)
    .where('status', 'in', ['waiting', 'running'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};
