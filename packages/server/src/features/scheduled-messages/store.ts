import { type Insertable, type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import { columnsOf } from '../../db/columns.ts';
import { type AskedFile, findNamedFiles } from '../../db/named-files.ts';
import { nextTime } from '../../db/next-time.ts';
import type { Database, ScheduledMessagesTable } from '../../db/schema.ts';
import { defineFields, idField, textField, timeField } from '../../query/fields.ts';

type Db = Kysely<Database>;
export type ScheduledRow = Selectable<ScheduledMessagesTable>;

export const scheduledFields = defineFields(
  {
    id: idField('scheduled_messages.id', { sort: { nullable: false } }),
    cid: idField('scheduled_messages.cid'),
    parent_id: idField(() => sql`scheduled_messages.input ->> 'parent_id'`),
    status: textField('scheduled_messages.status'),
    send_at: timeField('scheduled_messages.send_at', { sort: { nullable: false } }),
    created_at: timeField('scheduled_messages.created_at', { sort: { nullable: false } }),
  },
  { resource: 'scheduled messages', tieBreaker: 'id', defaultSort: [{ field: 'send_at', direction: 1 }] },
);

/** A message that failed because its channel was deleted stays: its text is not lost. */
export const ownScheduled = (db: Db, userId: string) =>
  db
    .selectFrom('scheduled_messages')
    .selectAll('scheduled_messages')
    .where('scheduled_messages.user_id', '=', userId);

export const countScheduled = async (db: Db, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('scheduled_messages')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
};

export const findScheduled = (db: Db, id: string): Promise<ScheduledRow | undefined> =>
  db.selectFrom('scheduled_messages').selectAll().where('id', '=', id).executeTakeFirst();

/** Undefined where the id is taken. */
export const insertScheduled = (
  db: Db,
  values: Insertable<ScheduledMessagesTable>,
): Promise<ScheduledRow | undefined> =>
  db
    .insertInto('scheduled_messages')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

/** Undefined when it is not the user's, or is being sent at this moment. */
export const lockOwn = (db: Db, id: string, userId: string, now: string): Promise<ScheduledRow | undefined> =>
  db
    .selectFrom('scheduled_messages')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))
    .forUpdate()
    .executeTakeFirst();

/** With `now` it is a change that people see: its time is later than that of the one before. */
export const updateScheduled = (
  db: Db,
  id: string,
  values: Updateable<ScheduledMessagesTable>,
  now?: string,
) =>
  db
    .updateTable('scheduled_messages')
    .set({ ...values, ...(now !== undefined && { updated_at: nextTime(now) }) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

export const removeScheduled = (db: Db, id: string): Promise<ScheduledRow | undefined> =>
  db.deleteFrom('scheduled_messages').where('id', '=', id).returningAll().executeTakeFirst();

const dueAt = sql<string>`coalesce(leased_until, send_at)`;

export const findNextSend = async (db: Db): Promise<string | undefined> => {
  const row = await db
    .selectFrom('scheduled_messages')
    .select(dueAt.as('due'))
    .where('status', '=', 'waiting')
    .orderBy(dueAt)
    .limit(1)
    .executeTakeFirst();
  return row?.due;
};

type Claim = { now: string; until: string; most: number };

/** A channel that another transaction holds is left for the next look: its messages would only wait for the lock. */
const isChannelFree = sql`(
  s.cid = (select c.cid from channels c where c.cid = s.cid for share skip locked)
  or not exists (select from channels c where c.cid = s.cid)
)`;

/** Takes what is due, or what a server took and died with, in the order of their times. Of several servers one gets each. */
export const claimSends = async (db: Db, { now, until, most }: Claim): Promise<ScheduledRow[]> => {
  const { rows } = await sql<ScheduledRow>`
    update scheduled_messages set leased_until = ${until} where id in (
      select s.id from scheduled_messages s
      where status = 'waiting' and coalesce(leased_until, send_at) <= ${now}::timestamptz and ${isChannelFree}
      order by coalesce(leased_until, send_at) limit ${most} for update of s skip locked
    ) returning ${sql.raw(columnsOf('scheduled_messages'))}`.execute(db);
  // The database returns the rows of an update in any order.
  const timeOf = (row: ScheduledRow): string => `${row.send_at} ${row.created_at}`;
  return rows.toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1));
};

/** Takes a claimed message for its send, as it is now, and counts the try: one that only waits in line uses up none. Undefined where
 * its lease ended while it waited in line, and its author cancelled it since, or another server took it. */
export const renewSend = (
  db: Db,
  { id, leased_until }: ScheduledRow,
  until: string,
): Promise<ScheduledRow | undefined> =>
  db
    .updateTable('scheduled_messages')
    .set((row) => ({ leased_until: until, attempts: row('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .where('leased_until', '=', leased_until)
    .returningAll()
    .executeTakeFirst();

/** Those of these files that scheduled messages carry. */
export const findFilesOfScheduled = (db: Db, files: AskedFile[]): Promise<string[]> =>
  findNamedFiles(db, files, { table: 'scheduled_messages', text: sql`input::text`, writer: sql`user_id` });
