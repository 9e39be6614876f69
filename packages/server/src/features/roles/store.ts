import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';

type Db = Kysely<Database>;

export const lockRole = (db: Db, name: string) =>
  db.selectFrom('roles').selectAll().where('name', '=', name).forUpdate().executeTakeFirst();

/** Whether a user has the role in the app, or a member in a channel. */
export const isRoleInUse = async (db: Db, name: string): Promise<boolean> => {
  const user = await db.selectFrom('users').select('id').where('role', '=', name).executeTakeFirst();
  if (user) return true;
  const member = await db
    .selectFrom('members')
    .select('user_id')
    .where('channel_role', '=', name)
    .executeTakeFirst();
  return member !== undefined;
};
