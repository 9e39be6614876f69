import { type Kysely, sql } from 'kysely';
import type { MayReadAs, Reader } from '../../access/access.ts';
import type { Database } from '../../db/schema.ts';

type Db = Kysely<Database>;

export type UnreadThreadRow = {
  user_id: string;
  parent_id: string;
  cid: string;
  unread: number;
  last_number: number;
  version: number;
  last_read: string | null;
};

/** The unread threads of users, of all channels that they may read or of one; not those on what they have cleared. */
export const listUnreadThreads = async (
  db: Db,
  userIds: string[],
  mayRead: MayReadAs,
  cid?: string,
): Promise<UnreadThreadRow[]> => {
  const place = cid === undefined ? sql`` : sql`and t.cid = ${cid}`;
  const { rows } = await sql<UnreadThreadRow & Reader>`
    select r.user_id, t.parent_id, t.cid, t.last_number - r.read_number as unread, t.last_number,
      r.version, r.last_read,
      m.channel_role, c.distinct_key is not null as is_direct, c.created_by is not distinct from r.user_id as is_creator, u.role, c.type
    from thread_reads r
    join threads t on t.parent_id = r.parent_id and t.last_number > r.read_number
    join channels c on c.cid = t.cid and c.deleted_at is null
    join messages p on p.id = t.parent_id and p.reply_count > 0 and p.seq > c.emptied_seq
    join users u on u.id = r.user_id
    left join members m on m.cid = t.cid and m.user_id = r.user_id
    where r.user_id = any(${userIds}) ${place} and (m.cleared_at is null or p.created_at > m.cleared_at)
    order by t.last_reply_at desc`.execute(db);
  return rows.filter(mayRead);
};

export const findReadThread = (
  db: Db,
  parentId: string,
): Promise<{ cid: string; last_number: number } | undefined> =>
  db
    .selectFrom('threads')
    .select(['cid', 'last_number'])
    .where('parent_id', '=', parentId)
    .executeTakeFirst();

/** How many replies of a thread came after this one; undefined when it is no reply of the thread. */
export const countLaterReplies = async (
  db: Db,
  threadId: string,
  replyId: string,
): Promise<number | undefined> => {
  const replies = db.selectFrom('messages').where('parent_id', '=', threadId);
  const last = await replies.select('seq').where('id', '=', replyId).executeTakeFirst();
  if (!last) return undefined;
  const { count } = await replies
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('seq', '>', last.seq)
    .executeTakeFirstOrThrow();
  return count;
};

type Mark = { threadId: string; userId: string; now: string };

/** A mark never goes back: replies that were read on another device stay read. `later` replies stay unread. */
export const advanceThreadRead = (db: Db, { threadId, userId, now }: Mark, later: number) =>
  db
    .updateTable('thread_reads')
    .from('threads')
    .set({
      read_number: sql<number>`greatest(thread_reads.read_number, threads.last_number - ${later}::int)`,
      last_read: now,
      version: sql<number>`thread_reads.version + 1`,
    })
    .whereRef('threads.parent_id', '=', 'thread_reads.parent_id')
    .where('thread_reads.parent_id', '=', threadId)
    .where('thread_reads.user_id', '=', userId)
    .returning(['thread_reads.read_number', 'thread_reads.last_read', 'thread_reads.version'])
    .executeTakeFirst();

/** The channel of a message, and the message that it answers. */
export const findParent = (
  db: Db,
  messageId: string,
): Promise<{ cid: string; parent_id: string | null } | undefined> =>
  db.selectFrom('messages').select(['cid', 'parent_id']).where('id', '=', messageId).executeTakeFirst();
