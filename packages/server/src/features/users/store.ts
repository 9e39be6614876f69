import { UserSchema } from '@parley/protocol';
import { type Insertable, type Kysely, type SqlBool, sql, type Updateable } from 'kysely';
import { type AskedFile, findNamedFiles } from '../../db/named-files.ts';
import type { UserRow } from '../../db/rows.ts';
import type { Database, UsersTable } from '../../db/schema.ts';
import { isUnbegun } from '../../db/unbegun.ts';
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

/** A direct conversation that others opened with the user and nobody has begun does not count: the user does not know of it. */
const sharesChannel = (userId: string) =>
  sql<SqlBool>`(users.id = ${userId} or exists (
    select from members join channels on channels.cid = members.cid join members theirs on theirs.cid = members.cid
    where theirs.user_id = users.id and members.user_id = ${userId} and ${isUnbegun} is not true))`;

/** The users that a list may show: without guests other than the one named, and only those who share a channel with a user. */
export const selectListed = (
  db: Kysely<Database>,
  { withoutGuestsExcept: guest, sharingWith }: { withoutGuestsExcept?: string; sharingWith?: string },
) => {
  const all = db.selectFrom('users').selectAll('users').where('users.deleted_at', 'is', null);
  const listed =
    guest === undefined
      ? all
      : all.where((eb) => eb.or([eb('users.role', '!=', 'guest'), eb('users.id', '=', guest)]));
  return sharingWith === undefined ? listed : listed.where(sharesChannel(sharingWith));
};

/** Whether there is any user, deleted ones included. */
export const hasUsers = async (db: Kysely<Database>): Promise<boolean> =>
  (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;

export const lockUser = (db: Kysely<Database>, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Orders the transactions that count what one person has: without it several at once pass the count together. */
export const lockForCount = async (db: Kysely<Database>, id: string): Promise<void> => {
  await db.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
};

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

/** Those of these files that are pictures of users, or stand in their custom data. */
export const findFilesOfUsers = (db: Kysely<Database>, files: AskedFile[]): Promise<string[]> =>
  findNamedFiles(db, files, {
    table: 'users',
    text: sql`coalesce(image, '') || data::text`,
    writer: sql`users.id`,
  });
