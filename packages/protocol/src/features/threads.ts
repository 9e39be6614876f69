import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { Cid, closed, Id, Next, open, Patch, queryProperties, Time } from '../schema.ts';
import { ChannelSchema } from './channels.ts';
import { MessageSchema } from './messages.ts';
import { UserSchema } from './users.ts';

/** How far the caller has read a thread; only for who follows it. */
const ThreadReadSchema = Type.Object({
  last_read: Type.Optional(Time),
  last_read_number: Type.Integer(),
  unread_messages: Type.Integer(),
});

const title = Type.Optional(Type.String({ minLength: 1, maxLength: 256 }));

/** What the caller may say of a thread. */
export const ThreadInputSchema = open({ title });

/** A thread as everyone sees it, in events. */
const base = {
  parent_message_id: Id,
  cid: Cid,
  title,
  /** How many replies ever counted; unread is this less the reader's own. */
  last_number: Type.Integer(),
  created_at: Time,
  updated_at: Time,
};
export const ThreadInfoSchema = open(base);
export type ThreadInfo = Static<typeof ThreadInfoSchema>;

export const ThreadSchema = open({
  ...base,
  channel: ChannelSchema,
  parent_message: MessageSchema,
  reply_count: Type.Integer(),
  participants: Type.Array(UserSchema),
  latest_replies: Type.Array(MessageSchema),
  last_reply_at: Type.Optional(Time),
  read: Type.Optional(ThreadReadSchema),
});
export type Thread = Static<typeof ThreadSchema>;

export const threadsCalls = {
  'POST /threads': call({
    side: 'CS',
    limit: 'read',
    summary: 'The threads one follows, the last answered first; `watch` subscribes to their channels',
    body: closed({ ...queryProperties, watch: Type.Optional(Type.Boolean()) }),
    reply: Type.Object({ threads: Type.Array(ThreadSchema), next: Next }),
  }),
  'GET /threads/{message_id}': call({
    side: 'CS',
    limit: 'read',
    summary: 'The thread that hangs on a message',
    reply: Type.Object({ thread: ThreadSchema }),
  }),
  'PATCH /threads/{message_id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Give a thread a title or custom data',
    body: Patch,
    reply: Type.Object({ thread: ThreadSchema }),
  }),
};

export const threadsEvents = {
  'thread.updated': Type.Object({ thread: ThreadInfoSchema }),
  'notification.thread_message_new': Type.Object({
    message: MessageSchema,
    thread_id: Id,
    unread_messages: Type.Integer(),
    unread_threads: Type.Integer(),
  }),
};
