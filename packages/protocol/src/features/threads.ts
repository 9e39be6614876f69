import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { doc, optional, record } from '../record.ts';
import { Cid, closed, Id, Next, open, patchProperties, queryProperties, Time } from '../schema.ts';
import { ChannelSchema } from './channels.ts';
import { MessageSchema } from './message-record.ts';
import { threadMark } from './reads.ts';
import { UserSchema } from './users.ts';

const threadRead = Type.Object({
  last_read: optional('When the caller last read the thread.', Time),
  last_read_number: doc('How many of the replies the caller has read.', Type.Integer()),
  unread_messages: doc('The number of unread replies.', Type.Integer()),
  version: optional('Grows with every change of the mark; ignore older versions.', Type.Integer()),
});

const titled = { title: optional('The title of the thread.', Type.String({ minLength: 1, maxLength: 256 })) };

const threadInput = open({ ...titled });
/** The fields of a thread that a caller may set. */
export interface ThreadInput extends Static<typeof threadInput> {}
export const ThreadInputSchema = record<ThreadInput>('ThreadInput', threadInput);

const threadProperties = {
  parent_message_id: doc('The message that the thread belongs to.', Id),
  cid: doc('The channel of the thread.', Cid),
  ...titled,
  last_number: doc('How many replies have ever counted as unread.', Type.Integer()),
  created_at: doc('When the thread began.', Time),
  updated_at: doc('When the thread last changed.', Time),
};
const threadInfo = open({ ...threadProperties });
/** A thread as everyone sees it, in events. */
export interface ThreadInfo extends Static<typeof threadInfo> {}
const ThreadInfoSchema = record<ThreadInfo>('ThreadInfo', threadInfo);

const thread = open({
  ...threadProperties,
  channel: doc('The channel.', ChannelSchema),
  parent_message: doc('The message that the thread belongs to.', MessageSchema),
  reply_count: doc('The number of replies.', Type.Integer()),
  participants: doc('The users who have written in the thread.', Type.Array(UserSchema)),
  latest_replies: doc('The latest replies.', Type.Array(MessageSchema)),
  last_reply_at: optional('When the last reply was sent.', Time),
  read: optional('How far the caller has read; only for those who follow the thread.', threadRead),
});
export interface Thread extends Static<typeof thread> {}
export const ThreadSchema = record<Thread>('Thread', thread);

const reply = Type.Object({ thread: doc('The thread.', ThreadSchema) });

export const threadsCalls = {
  'POST /threads': call({
    side: 'CS',
    limit: 'read',
    summary: 'The threads one follows, the last answered first; `watch` subscribes to their channels',
    body: closed({
      ...queryProperties,
      watch: optional('Whether to subscribe the connection to the channels of the threads.', Type.Boolean()),
    }),
    reply: Type.Object({ threads: doc('The threads found.', Type.Array(ThreadSchema)), next: Next }),
  }),
  'GET /threads/{message_id}': call({
    side: 'CS',
    limit: 'read',
    summary: 'The thread that hangs on a message',
    reply,
  }),
  'PATCH /threads/{message_id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Give a thread a title or custom data',
    body: closed({ ...patchProperties }),
    reply,
  }),
};

export const threadsEvents = {
  'thread.updated': Type.Object({ thread: doc('The thread as it is now.', ThreadInfoSchema) }),
  'notification.thread_message_new': Type.Object({
    message: doc('The new reply.', MessageSchema),
    thread_id: doc('The parent message of the thread.', Id),
    unread_messages: doc('The number of unread replies in the thread.', Type.Integer()),
    ...threadMark,
    unread_threads: doc('The number of followed threads with unread replies.', Type.Integer()),
  }),
};
