import type { Selectable, Updateable } from 'kysely';
import type { AppsTable, Db } from '../../db/schema.ts';

export type AppRow = Selectable<AppsTable>;

export const findApp = (db: Db): Promise<AppRow> =>
  db.selectFrom('apps').selectAll().executeTakeFirstOrThrow();

/** Creates the app of the deployment unless it is there. */
export const ensureApp = async (db: Db, name: string): Promise<void> => {
  await db
    .insertInto('apps')
    .values({ id: 1, name })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

export const updateApp = (db: Db, values: Updateable<AppsTable>): Promise<AppRow> =>
  db.updateTable('apps').set(values).returningAll().executeTakeFirstOrThrow();
