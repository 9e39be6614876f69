import { invalid, ParleyError, type ReadState } from '@parley/protocol';
import { lockChannel, type Place, requireCapability } from '../../access/place.ts';
import type { UserEntry } from '../../auth/actor.ts';
import type { Tx } from '../../kernel/kernel.ts';
import { advanceThreadRead, countLaterReplies, findParent, findReadThread } from './thread-store.ts';

export type ThreadReading = { threadId: string; lastReplyId?: string | undefined };

/** How many replies came after the one that the reader saw last: they stay unread. */
const countLater = async (tx: Tx, { threadId, lastReplyId }: ThreadReading): Promise<number> => {
  if (lastReplyId === undefined) return 0;
  const count = await countLaterReplies(tx.db, threadId, lastReplyId);
  if (count === undefined) throw invalid('message_id', 'names no reply of this thread');
  return count;
};

/** Reads a thread to a reply, or to its end. A reader who does not follow it has no mark to move. */
export const readThread = async (
  tx: Tx,
  place: Place,
  user: UserEntry,
  reading: ThreadReading,
): Promise<{ read: ReadState; last_number: number }> => {
  const { threadId } = reading;
  // A reader who is no member has no marks in the channel, but their own in the threads they follow.
  if (place.member) requireCapability(place, 'read-events');
  const { cid } = place.channel;
  await lockChannel(tx.db, cid);
  const thread = await findReadThread(tx.db, threadId);
  if (!thread) {
    const message = await findParent(tx.db, threadId);
    if (message?.cid === cid && message.parent_id !== null)
      throw invalid('thread_id', 'names a reply: a thread hangs on a message, not on a reply');
    throw new ParleyError('NotFound', `No thread on ${threadId}`);
  }
  if (thread.cid !== cid) throw invalid('thread_id', 'names no thread of this channel');
  const later = await countLater(tx, reading);
  const row = await advanceThreadRead(tx.db, { threadId, userId: user.row.id, now: tx.now }, later);
  const last_read_number = row?.read_number ?? thread.last_number;
  const { last_number } = thread;
  const read = {
    ...{ user: user.user, last_read_number, last_read: row?.last_read ?? tx.now },
    unread_messages: Math.max(0, last_number - last_read_number),
    ...(row && { version: row.version }),
  };
  return { read, last_number };
};
