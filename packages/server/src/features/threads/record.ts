import type { Channel, Message, Thread, ThreadInfo } from '@parley/protocol';
import type { OwnRead, ThreadRow } from './store.ts';

/** A thread as everyone sees it. */
export const toThreadInfo = (row: ThreadRow): ThreadInfo => ({
  ...row.data,
  parent_message_id: row.parent_id,
  cid: row.cid,
  ...(row.title === null ? {} : { title: row.title }),
  last_number: row.last_number,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

type Parts = { channel: Channel; parent: Message; latest: Message[]; read: OwnRead | undefined };

/** A thread as its reader sees it. */
export const toThread = (row: ThreadRow, { channel, parent, latest, read }: Parts): Thread => {
  const last = latest.at(-1)?.created_at;
  return {
    ...toThreadInfo(row),
    channel,
    parent_message: parent,
    reply_count: parent.reply_count,
    participants: parent.thread_participants ?? [],
    latest_replies: latest,
    ...(last === undefined ? {} : { last_reply_at: last }),
    ...(read
      ? {
          read: {
            ...(read.last_read === null ? {} : { last_read: read.last_read }),
            last_read_number: read.read_number,
            version: read.version,
            unread_messages: Math.max(0, row.last_number - read.read_number),
          },
        }
      : {}),
  };
};
