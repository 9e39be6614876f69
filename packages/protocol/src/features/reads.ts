import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { Cid, closed, Id, Time } from '../schema.ts';
import { UserSchema } from './users.ts';

/** How far a member has read. Unread is derived: the channel's last number less `last_read_number`. */
export const ReadStateSchema = Type.Object({
  user: UserSchema,
  last_read: Type.Optional(Time),
  last_read_message_id: Type.Optional(Id),
  last_read_number: Type.Integer(),
  unread_messages: Type.Integer(),
  last_delivered_at: Type.Optional(Time),
  last_delivered_message_id: Type.Optional(Id),
  /** Of the own mark alone: grows with every change of it. An older version says nothing. */
  version: Type.Optional(Type.Integer()),
});
export type ReadState = Static<typeof ReadStateSchema>;

/** In place of marks where `fidelity.reads` is `counts`: how many members stand at a number, highest numbers first. */
export const ReadCountsSchema = Type.Object({
  member_count: Type.Integer(),
  read: Type.Array(Type.Object({ number: Type.Integer(), count: Type.Integer() })),
  delivered: Type.Array(Type.Object({ number: Type.Integer(), count: Type.Integer() })),
});
export type ReadCounts = Static<typeof ReadCountsSchema>;

const UnreadChannel = Type.Object({
  channel_id: Cid,
  unread_count: Type.Integer(),
  last_read_number: Type.Integer(),
  last_read: Type.Optional(Time),
  version: Type.Integer(),
  /** Counts in no total until a message shows the channel again. */
  hidden: Type.Optional(Type.Boolean()),
});

const UnreadThread = Type.Object({
  parent_message_id: Id,
  cid: Cid,
  unread_count: Type.Integer(),
  last_read: Type.Optional(Time),
});

const Receipt = Type.Object({ user: UserSchema, at: Type.Optional(Time) });

/** Which messages make a channel unread for someone. `removed` counts those that are gone for good and still count. */
const UnreadExplanationSchema = Type.Object({
  unread_count: Type.Integer(),
  last_number: Type.Integer(),
  last_read_number: Type.Integer(),
  last_read: Type.Optional(Time),
  /** They said so themselves, by mark-unread. */
  marked_unread: Type.Boolean(),
  removed: Type.Integer(),
  messages: Type.Array(
    Type.Object({
      id: Id,
      number: Type.Integer(),
      user: Type.Optional(UserSchema),
      text: Type.String(),
      created_at: Time,
      reason: Type.Enum(['unread', 'deleted', 'silent']),
    }),
  ),
});

export const readsCalls = {
  'POST /channels/{type}/{id}/read': call({
    side: 'CS',
    limit: 'event',
    summary:
      'Mark read up to a message, or to the last one; with `thread_id` a thread, up to a reply or to its end',
    body: closed({
      message_id: Type.Optional(Id),
      /** Without `message_id`: no further than this number, so that what came since the caller looked stays unread. */
      last_number: Type.Optional(Type.Integer({ minimum: 0 })),
      thread_id: Type.Optional(Id),
    }),
    reply: Type.Object({ read: ReadStateSchema }),
  }),
  'POST /channels/{type}/{id}/unread': call({
    side: 'CS',
    limit: 'event',
    summary: 'Mark unread from a message on; others see no difference',
    body: closed({ message_id: Id }),
    reply: Type.Object({ read: ReadStateSchema }),
  }),
  'POST /channels/read': call({
    side: 'CS',
    limit: 'write',
    summary: 'Mark several channels read, or all',
    body: closed({ cids: Type.Optional(Type.Array(Cid, { maxItems: limits.cidsPerCall })) }),
    reply: Type.Object({
      cids: Type.Array(Cid),
      marks: Type.Array(Type.Object({ cid: Cid, read: ReadStateSchema })),
    }),
  }),
  'POST /channels/delivered': call({
    side: 'CS',
    limit: 'event',
    summary: 'Report what has arrived on this device',
    body: closed({
      latest_delivered_messages: Type.Array(closed({ cid: Cid, id: Id }), {
        minItems: 1,
        maxItems: limits.deliveredPerCall,
      }),
    }),
    reply: Type.Object({}),
  }),
  'GET /channels/{type}/{id}/unread/explain': call({
    side: 'CS',
    limit: 'read',
    summary: 'Which messages count as unread, and why; the newest 100',
    reply: UnreadExplanationSchema,
  }),
  'GET /messages/{id}/receipts': call({
    side: 'CS',
    limit: 'read',
    summary: 'Who has read a message and whom it has reached: counts, and the newest 100 of each by name',
    reply: Type.Object({
      member_count: Type.Integer(),
      read_count: Type.Integer(),
      delivered_count: Type.Integer(),
      read: Type.Array(Receipt),
      delivered: Type.Array(Receipt),
    }),
  }),
  'GET /unread': call({
    side: 'CS',
    limit: 'read',
    summary: 'What is unread, by channel',
    reply: Type.Object({
      total_unread_count: Type.Integer(),
      total_unread_threads_count: Type.Integer(),
      channels: Type.Array(UnreadChannel),
      threads: Type.Array(UnreadThread),
    }),
  }),
};

/** Absent where they could not be counted. */
const totals = {
  total_unread_count: Type.Optional(Type.Integer()),
  unread_channels: Type.Optional(Type.Integer()),
  unread_threads: Type.Optional(Type.Integer()),
};

export const readsEvents = {
  'message.read': Type.Object({
    user: UserSchema,
    last_read: Time,
    last_read_message_id: Type.Optional(Id),
    last_read_number: Type.Integer(),
  }),
  'message.delivered': Type.Object({
    user: UserSchema,
    last_delivered_at: Time,
    last_delivered_message_id: Id,
  }),
  /** Not in the log: at most one every three seconds, where marks are counts. */
  'channel.read_counts': Type.Object({ read_counts: ReadCountsSchema }),
  'notification.mark_read': Type.Object({
    read: Type.Optional(ReadStateSchema),
    ...totals,
    /** Of a thread: then `read` is absent and the channel is as it was. */
    thread_id: Type.Optional(Id),
    /** What is left unread in that thread. */
    unread_messages: Type.Optional(Type.Integer()),
  }),
  'notification.mark_unread': Type.Object({ read: ReadStateSchema, ...totals }),
};
