import type { Message, Thread, ThreadInfo } from '@parley/protocol';
import type { HeldChange } from '../../sync/held-messages.ts';
import { isOlderMark, type MarkPlace } from '../reads/thread-marks.ts';

const repliesShown = 3;

type Said = MarkPlace & { unread_messages?: number | undefined };

/** A thread with the mark of an event; an older one changes nothing. */
const withMark = (thread: Thread, said: Said): Thread => {
  const { read, last_number: last } = thread;
  const { version = read?.version ?? 0, last_number = last, unread_messages = 0 } = said;
  if (!read || isOlderMark({ version: read.version ?? 0, last }, said)) return thread;
  if (read.unread_messages === unread_messages && read.version === version && last === last_number)
    return thread;
  return { ...thread, last_number, read: { ...read, unread_messages, version } };
};

/** The thread goes to the top with its new reply; nothing changes where it is not in the list. A page may count the reply already. */
export const afterReply = (threads: readonly Thread[], message: Message, said?: Said): readonly Thread[] => {
  const thread = threads.find((each) => each.parent_message_id === message.parent_id);
  if (!thread) return threads;
  const known = said ? withMark(thread, said) : thread;
  if (message.created_at <= (thread.last_reply_at ?? ''))
    return threads.map((each) => (each === thread ? known : each));
  const next: Thread = {
    ...known,
    reply_count: thread.reply_count + 1,
    latest_replies: [...thread.latest_replies, message].slice(-repliesShown),
    last_reply_at: message.created_at,
  };
  return [next, ...threads.filter((each) => each !== thread)];
};

export const afterReading = (threads: readonly Thread[], id: string, said: Said): readonly Thread[] => {
  const thread = threads.find((each) => each.parent_message_id === id);
  const next = thread && withMark(thread, said);
  return !next || next === thread ? threads : threads.map((each) => (each === thread ? next : each));
};

export const afterUpdate = (threads: readonly Thread[], info: ThreadInfo): readonly Thread[] =>
  threads.map((thread) =>
    thread.parent_message_id === info.parent_message_id ? { ...thread, ...info } : thread,
  );

const withMessages = (thread: Thread, change: HeldChange): Thread | undefined => {
  const parent = change(thread.parent_message);
  const replies = thread.latest_replies.map(change);
  if (parent === thread.parent_message && replies.every((reply, at) => reply === thread.latest_replies[at]))
    return thread;
  if (!parent || parent.reply_count === 0) return undefined;
  return {
    ...thread,
    parent_message: parent,
    latest_replies: replies.flatMap((reply) => (reply && reply.type !== 'deleted' ? reply : [])),
    ...(parent !== thread.parent_message && {
      reply_count: parent.reply_count,
      participants: parent.thread_participants ?? thread.participants,
    }),
  };
};

/** The messages of the threads as they are now. A thread without its message, or without replies, is listed no longer. */
export const afterMessages = (threads: readonly Thread[], change: HeldChange): readonly Thread[] => {
  const next = threads.map((thread) => withMessages(thread, change));
  return next.every((thread, at) => thread === threads[at])
    ? threads
    : next.filter((thread) => thread !== undefined);
};

/** Whether replies are left out that there is room for: one that was shown has gone. */
export const isShort = ({ latest_replies, reply_count }: Thread): boolean =>
  latest_replies.length < Math.min(repliesShown, reply_count);
