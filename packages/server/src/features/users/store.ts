import { UserSchema } from '@parley/protocol';
import type { Insertable, Kysely, Updateable } from 'kysely';
import type { UserRow } from '../../db/rows.ts';
import type { Database, UsersTable } from '../../db/schema.ts';
import { boolField, defineFields, idField, textField, timeField } from '../../query/fields.ts';

export const userFields = defineFields(
  {
    id: idField('users.id', { sort: { nullable: false } }),
    name: textField('users.name', { sort: { nullable: true } }),
    role: idField('users.role'),
    banned: boolField('users.banned'),
    created_at: timeField('users.created_at', { sort: { nullable: false } }),
    updated_at: timeField('users.updated_at', { sort: { nullable: false } }),
    last_active: timeField('users.last_active', { sort: { nullable: true } }),
  },
  {
    resource: 'users',
    tieBreaker: 'id',
    defaultSort: [{ field: 'id', direction: 1 }],
    custom: 'users.data',
    record: UserSchema,
  },
);

export const findUsers = (db: Kysely<Database>, ids: string[]): Promise<UserRow[]> =>
  db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', (eb) => eb.fn('any', [eb.val(ids)]))
    .execute();

export const lockUser = (db: Kysely<Database>, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export const insertUser = (
  db: Kysely<Database>,
  user: Insertable<UsersTable>,
): Promise<UserRow | undefined> =>
  db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst();

export const updateUser = (
  db: Kysely<Database>,
  id: string,
  values: Updateable<UsersTable>,
): Promise<UserRow> =>
  db.updateTable('users').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow();

export const touchUser = async (db: Kysely<Database>, id: string, now: string): Promise<void> => {
  await db.updateTable('users').set({ last_active: now }).where('id', '=', id).execute();
};
