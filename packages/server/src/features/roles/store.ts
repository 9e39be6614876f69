import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';

type Db = Kysely<Database>;

export const lockRole = (db: Db, name: string) =>
  db.selectFrom('roles').selectAll().where('name', '=', name).forUpdate().executeTakeFirst();

export const isRoleInUse = async (db: Db, name: string): Promise<boolean> => {
  const user = await db.selectFrom('users').select('id').where('role', '=', name).executeTakeFirst();
  return user !== undefined;
};
