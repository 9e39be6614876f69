import type { Message, Thread, ThreadInfo } from '@parley/protocol';

const repliesShown = 3;

/** The thread goes to the top with its new reply; undefined where it is not in the list. */
export const afterReply = (
  threads: readonly Thread[],
  message: Message,
  unread: number | undefined,
): readonly Thread[] | undefined => {
  const thread = threads.find((each) => each.parent_message_id === message.parent_id);
  if (!thread) return undefined;
  if (thread.latest_replies.some(({ id }) => id === message.id)) return threads;
  const next: Thread = {
    ...thread,
    reply_count: thread.reply_count + 1,
    latest_replies: [...thread.latest_replies, message].slice(-repliesShown),
    last_reply_at: message.created_at,
    ...(thread.read && unread !== undefined ? { read: { ...thread.read, unread_messages: unread } } : {}),
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
