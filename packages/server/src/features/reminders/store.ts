import { type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import { columnsOf } from '../../db/columns.ts';
import { nextTime } from '../../db/next-time.ts';
import type { Database, RemindersTable } from '../../db/schema.ts';
import { defineFields, idField, textField, timeField } from '../../query/fields.ts';

type Db = Kysely<Database>;
export type ReminderRow = Selectable<RemindersTable>;
export type ReminderKey = Pick<ReminderRow, 'user_id' | 'message_id'>;

export const reminderFields = defineFields(
  {
    message_id: idField('reminders.message_id', { sort: { nullable: false } }),
    cid: idField('reminders.cid'),
    note: textField('reminders.note'),
    remind_at: timeField('reminders.remind_at', { sort: { nullable: true } }),
    notified_at: timeField('reminders.notified_at', { sort: { nullable: true } }),
    created_at: timeField('reminders.created_at', { sort: { nullable: false } }),
    updated_at: timeField('reminders.updated_at', { sort: { nullable: false } }),
  },
  { resource: 'reminders', tieBreaker: 'message_id', defaultSort: [{ field: 'remind_at', direction: 1 }] },
);

export const ownReminders = (db: Db, userId: string) =>
  db
    .selectFrom('reminders')
    .innerJoin('channels', 'channels.cid', 'reminders.cid')
    .selectAll('reminders')
    .where('reminders.user_id', '=', userId)
    .where('channels.deleted_at', 'is', null);

export const countReminders = async (db: Db, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('reminders')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
};

export const findReminder = (db: Db, { user_id, message_id }: ReminderKey) =>
  db
    .selectFrom('reminders')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('message_id', '=', message_id)
    .executeTakeFirst();

/** The reminders of one reader on the messages of a page. */
export const findRemindersOn = (db: Db, userId: string, messageIds: string[]): Promise<ReminderRow[]> =>
  db
    .selectFrom('reminders')
    .selectAll()
    .where('user_id', '=', userId)
    .where('message_id', '=', (eb) => eb.fn('any', [eb.val(messageIds)]))
    .execute();

export type NewReminder = ReminderKey & Pick<ReminderRow, 'cid' | 'remind_at' | 'note'>;

/** Undefined where there is one already. */
export const insertReminder = (db: Db, reminder: NewReminder, now: string) =>
  db
    .insertInto('reminders')
    .values({ ...reminder, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'message_id']).doNothing())
    .returningAll()
    .executeTakeFirst();

export const updateReminder = (
  db: Db,
  { user_id, message_id }: ReminderKey,
  values: Updateable<RemindersTable>,
  now: string,
): Promise<ReminderRow | undefined> =>
  db
    .updateTable('reminders')
    .set({ ...values, updated_at: nextTime(now) })
    .where('user_id', '=', user_id)
    .where('message_id', '=', message_id)
    .returningAll()
    .executeTakeFirst();

export const removeReminder = (db: Db, { user_id, message_id }: ReminderKey) =>
  db
    .deleteFrom('reminders')
    .where('user_id', '=', user_id)
    .where('message_id', '=', message_id)
    .returningAll()
    .executeTakeFirst();

/** Marks the user, so that pages of messages look for reminders only of users who have some. False where it was marked already. */
export const noteReminders = async (db: Db, userId: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ has_reminders: true })
    .where('id', '=', userId)
    .where('has_reminders', '=', false)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const findNextDue = async (db: Db): Promise<string | undefined> => {
  const row = await db
    .selectFrom('reminders')
    .select('remind_at')
    .where('remind_at', 'is not', null)
    .where('notified_at', 'is', null)
    .orderBy('remind_at')
    .limit(1)
    .executeTakeFirst();
  return row?.remind_at ?? undefined;
};

/** Takes due reminders and marks them as notified. Of several servers one gets each: the others skip it. */
export const claimDue = async (db: Db, now: string, most: number): Promise<ReminderRow[]> => {
  const { rows } = await sql<ReminderRow>`
    update reminders set notified_at = ${now}, updated_at = ${nextTime(now)} where id in (
      select id from reminders
      where remind_at is not null and notified_at is null and remind_at <= ${now}::timestamptz
      order by remind_at limit ${most} for update skip locked
    ) returning ${sql.raw(columnsOf('reminders'))}`.execute(db);
  return rows;
};
