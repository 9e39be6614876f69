import type { Insertable } from 'kysely';
import type { Db, RolesTable } from '../../db/schema.ts';

export const listRoles = (db: Db) => db.selectFrom('roles').selectAll().orderBy('name').execute();

export const hasRole = async (db: Db, name: string): Promise<boolean> => {
  const row = await db.selectFrom('roles').select('name').where('name', '=', name).executeTakeFirst();
  return row !== undefined;
};

export const lockRole = (db: Db, name: string) =>
  db.selectFrom('roles').selectAll().where('name', '=', name).forUpdate().executeTakeFirst();

/** The roles that were not there before. */
export const insertRoles = (db: Db, rows: Insertable<RolesTable>[]) =>
  db
    .insertInto('roles')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .execute();

export const deleteRole = async (db: Db, name: string): Promise<void> => {
  await db.deleteFrom('roles').where('name', '=', name).execute();
};

export const isRoleInUse = async (db: Db, name: string): Promise<boolean> => {
  const user = await db.selectFrom('users').select('id').where('role', '=', name).executeTakeFirst();
  return user !== undefined;
};
