import type { Insertable, Selectable, Updateable } from 'kysely';
import type { CommandsTable, Db } from '../../db/schema.ts';

export type CommandRow = Selectable<CommandsTable>;

export const listCommands = (db: Db): Promise<CommandRow[]> =>
  db.selectFrom('commands').selectAll().orderBy('name').execute();

export const findCommand = (db: Db, name: string): Promise<CommandRow | undefined> =>
  db.selectFrom('commands').selectAll().where('name', '=', name).executeTakeFirst();

/** Undefined when there is one of this name already. */
export const insertCommand = (db: Db, row: Insertable<CommandsTable>): Promise<CommandRow | undefined> =>
  db
    .insertInto('commands')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

export const updateCommand = (
  db: Db,
  name: string,
  values: Updateable<CommandsTable>,
): Promise<CommandRow | undefined> =>
  db.updateTable('commands').set(values).where('name', '=', name).returningAll().executeTakeFirst();

/** False when there is none of this name. */
export const deleteCommand = async (db: Db, name: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('commands')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
};
