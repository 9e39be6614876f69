import { type Insertable, type Kysely, sql, type Updateable } from 'kysely';
import type { Database } from '../../db/schema.ts';
import type { TasksTable } from '../../db/tasks-table.ts';
import type { TaskRow } from './record.ts';

type Db = Kysely<Database>;

export const insertTask = async (db: Db, task: Insertable<TasksTable>): Promise<void> => {
  await db.insertInto('tasks').values(task).execute();
};

export const findTask = (db: Db, id: string): Promise<TaskRow | undefined> =>
  db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();

/** Takes the oldest task that waits, or whose server is gone. Of several servers one gets it. */
export const claimTask = (db: Db, kinds: string[], now: string, until: string) =>
  db
    .updateTable('tasks')
    .set((eb) => ({
      status: 'running',
      leased_until: until,
      updated_at: now,
      attempts: eb('attempts', '+', 1),
    }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('tasks')
        .select('id')
        .where('kind', '=', sql<string>`any(${kinds})`)
        .where((or) =>
          or.or([
            or('status', '=', 'waiting'),
            or.and([or('status', '=', 'running'), or('leased_until', '<', now)]),
          ]),
        )
        .orderBy('created_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();

/** False when another server has taken the task since. */
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
