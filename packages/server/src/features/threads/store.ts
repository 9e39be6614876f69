import { ThreadSchema } from '@parley/protocol';
import { type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import type { MayReadAs } from '../../access/access.ts';
import { columnsOf } from '../../db/columns.ts';
import type { MessageRow } from '../../db/rows.ts';
import type { Database, ThreadsTable } from '../../db/schema.ts';
import type { Tx } from '../../kernel/kernel.ts';
import { defineFields, idField, numberField, textField, timeField } from '../../query/fields.ts';

type Db = Kysely<Database>;
export type ThreadRow = Selectable<ThreadsTable>;
/** How far the reader has read a thread; absent for users who do not follow it. */
export type OwnRead = { read_number: number; last_read: string | null; version: number };

export const threadFields = defineFields(
  {
    parent_message_id: idField('threads.parent_id', { sort: { nullable: false } }),
    cid: idField('threads.cid'),
    title: textField('threads.title', { sort: { nullable: true } }),
    reply_count: numberField('messages.reply_count', { sort: { nullable: false } }),
    unread_messages: numberField(() => sql`(threads.last_number - thread_reads.read_number)`, {
      sort: { nullable: false },
    }),
    last_reply_at: timeField('threads.last_reply_at', { sort: { nullable: false } }),
    created_at: timeField('threads.created_at', { sort: { nullable: false } }),
    updated_at: timeField('threads.updated_at', { sort: { nullable: false } }),
  },
  {
    resource: 'threads',
    tieBreaker: 'parent_message_id',
    defaultSort: [{ field: 'last_reply_at', direction: -1 }],
    custom: 'threads.data',
    record: ThreadSchema,
  },
);

/** The threads a user follows that still have replies, in channels that are there; not those on what they have cleared. */
export const followedThreads = (db: Db, userId: string) =>
  db
    .selectFrom('thread_reads')
    .innerJoin('threads', 'threads.parent_id', 'thread_reads.parent_id')
    .innerJoin('messages', 'messages.id', 'threads.parent_id')
    .innerJoin('channels', 'channels.cid', 'threads.cid')
    .selectAll('threads')
    .where('thread_reads.user_id', '=', userId)
    .where('channels.deleted_at', 'is', null)
    .whereRef('messages.seq', '>', 'channels.emptied_seq')
    .where('messages.reply_count', '>', 0)
    .where(
      sql<boolean>`not exists (select from members m where m.cid = threads.cid
        and m.user_id = ${userId} and m.cleared_at >= messages.created_at)`,
    );

export const findThread = (db: Db, parentId: string): Promise<ThreadRow | undefined> =>
  db.selectFrom('threads').selectAll().where('parent_id', '=', parentId).executeTakeFirst();

export const findThreads = async (db: Db, parentIds: string[]): Promise<ThreadRow[]> =>
  parentIds.length === 0
    ? []
    : db.selectFrom('threads').selectAll().where('parent_id', 'in', parentIds).execute();

export const updateThread = (
  db: Db,
  parentId: string,
  values: Updateable<ThreadsTable>,
): Promise<ThreadRow> =>
  db
    .updateTable('threads')
    .set(values)
    .where('parent_id', '=', parentId)
    .returningAll()
    .executeTakeFirstOrThrow();

export const listOwnReads = async (
  db: Db,
  userId: string | undefined,
  parentIds: string[],
): Promise<Map<string, OwnRead>> => {
  if (userId === undefined || parentIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('thread_reads')
    .select(['parent_id', 'read_number', 'last_read', 'version'])
    .where('user_id', '=', userId)
    .where('parent_id', 'in', parentIds)
    .execute();
  return new Map(rows.map((row) => [row.parent_id, row]));
};

/** The newest replies of each thread that are not deleted, oldest first within each. */
export const listLatestReplies = async (db: Db, parentIds: string[], most: number): Promise<MessageRow[]> => {
  if (parentIds.length === 0) return [];
  const { rows } = await sql<MessageRow>`
    select ${sql.raw(columnsOf('messages', 'm'))} from unnest(${parentIds}::text[]) as wanted (id)
    cross join lateral (
      select * from messages where messages.parent_id = wanted.id and messages.deleted_at is null
      order by created_at desc, seq desc limit ${most}
    ) m order by m.created_at, m.seq`.execute(db);
  return rows;
};

/** The mark of who answers: the thread is read with it. */
type CaughtUp = { version: number; had_unread: boolean };

/** Counts a reply. The author of the message and who answers follow the thread; who answers has read it. */
export const countReply = async (
  tx: Tx,
  reply: MessageRow,
  parent: MessageRow,
): Promise<{ thread: ThreadRow; own: CaughtUp }> => {
  const step = reply.silent ? 0 : 1;
  const thread = await tx.db
    .insertInto('threads')
    .values({
      parent_id: parent.id,
      cid: parent.cid,
      title: null,
      last_number: step,
      last_reply_at: reply.created_at,
      created_at: reply.created_at,
      updated_at: reply.created_at,
    })
    .onConflict((conflict) =>
      conflict.column('parent_id').doUpdateSet((eb) => ({
        last_number: eb('threads.last_number', '+', step),
        last_reply_at: reply.created_at,
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  const { rows } = await sql<CaughtUp>`
    with known as (select read_number from thread_reads where user_id = ${reply.user_id} and parent_id = ${parent.id})
    insert into thread_reads (parent_id, user_id, read_number, last_read, version)
    values (${parent.id}, ${reply.user_id}, ${thread.last_number}, ${reply.created_at}, 1)
    on conflict (user_id, parent_id) do update set read_number = excluded.read_number,
      last_read = excluded.last_read, version = thread_reads.version + 1
    returning version, coalesce((select read_number from known) < ${thread.last_number - step}::bigint, false) as had_unread`.execute(
    tx.db,
  );
  await sql`
    insert into thread_reads (parent_id, user_id) values (${parent.id}, ${parent.user_id})
    on conflict do nothing`.execute(tx.db);
  return { thread, own: rows[0] ?? { version: 0, had_unread: false } };
};

type UnreadMark = { user_id: string; version: number; last_number: number };

/** The followers of a thread who have not read all of it, with a new version of their marks: its replies went, or came back. */
export const renewUnreadOf = async (db: Db, parentId: string): Promise<UnreadMark[]> => {
  const { rows } = await sql<UnreadMark>`
    update thread_reads r set version = r.version + 1 from threads t
    where t.parent_id = r.parent_id and r.parent_id = ${parentId} and t.last_number > r.read_number
    returning r.user_id, r.version, t.last_number`.execute(db);
  return rows;
};

type Follower = { user_id: string; banned: boolean | null };

/** The followers of a thread who may read it, as a member or without. */
export const listFollowers = async (
  db: Db,
  { parent_id, cid }: ThreadRow,
  mayRead: MayReadAs,
): Promise<Follower[]> => {
  const rows = await db
    .selectFrom('thread_reads')
    .innerJoin('users', 'users.id', 'thread_reads.user_id')
    .innerJoin('channels', (join) => join.on('channels.cid', '=', cid))
    .leftJoin('members', (join) =>
      join.onRef('members.user_id', '=', 'thread_reads.user_id').on('members.cid', '=', cid),
    )
    .select(['thread_reads.user_id', 'users.role', 'members.banned', 'members.channel_role', 'channels.type'])
    .select([
      sql<boolean>`channels.distinct_key is not null`.as('is_direct'),
      sql<boolean>`channels.created_by is not distinct from thread_reads.user_id`.as('is_creator'),
    ])
    .where('thread_reads.parent_id', '=', parent_id)
    .where('users.deleted_at', 'is', null)
    .execute();
  return rows.filter(mayRead);
};
