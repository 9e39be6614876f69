import type { Message, Thread, ThreadInfo } from '@parley/protocol';

const repliesShown = 3;

/** The thread goes to the top with its new reply; nothing changes where it is not in the list. A page may count the reply already. */
export const afterReply = (
  threads: readonly Thread[],
  message: Message,
  unread: number | undefined,
): readonly Thread[] => {
  const thread = threads.find((each) => each.parent_message_id === message.parent_id);
  if (!thread) return threads;
  const { read } = thread;
  const known =
    read && unread !== undefined ? { ...thread, read: { ...read, unread_messages: unread } } : thread;
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

export const afterReading = (threads: readonly Thread[], id: string, left = 0): readonly Thread[] =>
  threads.map((thread) =>
    thread.parent_message_id === id && thread.read && thread.read.unread_messages !== left
      ? { ...thread, read: { ...thread.read, unread_messages: left } }
      : thread,
  );

export const afterUpdate = (threads: readonly Thread[], info: ThreadInfo): readonly Thread[] =>
  threads.map((thread) =>
    thread.parent_message_id === info.parent_message_id ? { ...thread, ...info } : thread,
  );

/** Without the threads of a channel; the same list where it has none of them. */
export const afterLeaving = (threads: readonly Thread[], cid: string): readonly Thread[] =>
  threads.some((thread) => thread.cid === cid) ? threads.filter((thread) => thread.cid !== cid) : threads;
