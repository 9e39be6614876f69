import { invalid, ParleyError, type ReadState } from '@parley/protocol';
import { type Kysely, sql } from 'kysely';
import type { MayReadAs, Reader } from '../../access/access.ts';
import { lockChannel, type Place, requireCapability } from '../../access/place.ts';
import type { UserEntry } from '../../auth/actor.ts';
import type { Database } from '../../db/schema.ts';
import type { Tx } from '../../kernel/kernel.ts';

type Db = Kysely<Database>;

export type UnreadThreadRow = {
  user_id: string;
  parent_id: string;
  cid: string;
  unread: number;
  last_read: string | null;
};

/** The unread threads of users, in channels that they may read; not those on what they have cleared. */
export const listUnreadThreads = async (
  db: Db,
  userIds: string[],
  mayRead: MayReadAs,
): Promise<UnreadThreadRow[]> => {
  const { rows } = await sql<UnreadThreadRow & Reader>`
    select r.user_id, t.parent_id, t.cid, t.last_number - r.read_number as unread, r.last_read,
      m.channel_role, c.distinct_key is not null as is_direct, c.created_by is not distinct from r.user_id as is_maker, u.role, c.type
    from thread_reads r
    join threads t on t.parent_id = r.parent_id and t.last_number > r.read_number
    join channels c on c.cid = t.cid and c.deleted_at is null
    join messages p on p.id = t.parent_id and p.reply_count > 0 and p.seq > c.emptied_seq
    join users u on u.id = r.user_id
    left join members m on m.cid = t.cid and m.user_id = r.user_id
    where r.user_id = any(${userIds}) and (m.cleared_at is null or p.created_at > m.cleared_at)
    order by t.last_reply_at desc`.execute(db);
  return rows.filter(mayRead);
};

export type ThreadReading = { threadId: string; lastReplyId?: string | undefined };

/** How many replies came after the one that the reader saw last: they stay unread. */
const countLater = async (tx: Tx, { threadId, lastReplyId }: ThreadReading): Promise<number> => {
  if (lastReplyId === undefined) return 0;
  const replies = tx.db.selectFrom('messages').where('parent_id', '=', threadId);
  const last = await replies.select('seq').where('id', '=', lastReplyId).executeTakeFirst();
  if (!last) throw invalid('message_id', 'names no reply of this thread');
  const { count } = await replies
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('seq', '>', last.seq)
    .executeTakeFirstOrThrow();
  return count;
};

/** A mark never goes back: what was read on another device stays read. */
const advance = (tx: Tx, threadId: string, userId: string, later: number) =>
  tx.db
    .updateTable('thread_reads')
    .from('threads')
    .set({
      read_number: sql<number>`greatest(thread_reads.read_number, threads.last_number - ${later}::int)`,
      last_read: tx.now,
    })
    .whereRef('threads.parent_id', '=', 'thread_reads.parent_id')
    .where('thread_reads.parent_id', '=', threadId)
    .where('thread_reads.user_id', '=', userId)
    .returning(['thread_reads.read_number', 'thread_reads.last_read'])
    .executeTakeFirst();

/** Reads a thread to a reply, or to its end. Who does not follow it has nothing to mark. */
export const readThread = async (
  tx: Tx,
  place: Place,
  user: UserEntry,
  reading: ThreadReading,
): Promise<ReadState> => {
  const { threadId } = reading;
  // Who reads without being a member has no marks in the channel, but their own in the threads they follow.
  if (place.member) requireCapability(place, 'read-events');
  const { cid } = place.channel;
  await lockChannel(tx.db, cid);
  const thread = await tx.db
    .selectFrom('threads')
    .select(['cid', 'last_number'])
    .where('parent_id', '=', threadId)
    .executeTakeFirst();
  if (!thread) {
    const message = await tx.db
      .selectFrom('messages')
      .select(['cid', 'parent_id'])
      .where('id', '=', threadId)
      .executeTakeFirst();
    if (message?.cid === cid && message.parent_id !== null)
      throw invalid('thread_id', 'names a reply: a thread hangs on a message, not on a reply');
    throw new ParleyError('NotFound', `No thread on ${threadId}`);
  }
  if (thread.cid !== cid) throw invalid('thread_id', 'names no thread of this channel');
  const row = await advance(tx, threadId, user.row.id, await countLater(tx, reading));
  const last_read_number = row?.read_number ?? thread.last_number;
  const read = { last_read_number, last_read: row?.last_read ?? tx.now };
  return { user: user.user, ...read, unread_messages: Math.max(0, thread.last_number - last_read_number) };
};
