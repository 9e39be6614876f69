import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { doc, optional, record } from '../record.ts';
import { Cid, closed, Id, Time } from '../schema.ts';
import { UserSchema } from './users.ts';

const readState = Type.Object({
  user: doc('The member.', UserSchema),
  last_read: optional('When the member last read the channel.', Time),
  last_read_message_id: optional('The last message that the member has read.', Id),
  last_read_number: doc('The number up to which the member has read.', Type.Integer()),
  unread_messages: doc(
    "The number of unread messages: the channel's last number less `last_read_number`.",
    Type.Integer(),
  ),
  last_delivered_at: optional('When a message last reached a device of the member.', Time),
  last_delivered_message_id: optional('The last message that reached a device of the member.', Id),
  version: optional('Grows with every change of the own mark; ignore older versions.', Type.Integer()),
});
/** How far a member has read. */
export interface ReadState extends Static<typeof readState> {}
export const ReadStateSchema = record<ReadState>('ReadState', readState);

const MembersAt = Type.Array(
  Type.Object({
    number: doc('The number of a message.', Type.Integer()),
    count: doc('The number of members whose mark is there.', Type.Integer()),
  }),
);
const readCounts = Type.Object({
  member_count: doc('The number of members.', Type.Integer()),
  read: doc('How many members have read up to a number, highest numbers first.', MembersAt),
  delivered: doc('How many members got messages up to a number, highest numbers first.', MembersAt),
});
/** Counts in place of marks, where `fidelity.reads` is `counts`. */
export interface ReadCounts extends Static<typeof readCounts> {}
export const ReadCountsSchema = record<ReadCounts>('ReadCounts', readCounts);

const UnreadChannel = Type.Object({
  channel_id: doc('The channel, as its cid.', Cid),
  unread_count: doc('The number of unread messages.', Type.Integer()),
  last_read_number: doc('The number up to which the user has read.', Type.Integer()),
  last_read: optional('When the user last read the channel.', Time),
  version: doc("The version of the user's mark.", Type.Integer()),
  hidden: optional('Whether the channel is hidden and so counts in no total.', Type.Boolean()),
  archived: optional('Whether the user has archived the channel; it counts in the totals.', Type.Boolean()),
});

/** Where the reader stands: ignore an older version, and of the same version a lower number. */
export const threadMark = {
  last_number: optional('How many replies of the thread have ever counted as unread.', Type.Integer()),
  version: optional("The version of the reader's mark in the thread.", Type.Integer()),
};

const UnreadThread = Type.Object({
  parent_message_id: doc('The message that the thread belongs to.', Id),
  cid: doc('The channel of the thread.', Cid),
  unread_count: doc('The number of unread replies.', Type.Integer()),
  ...threadMark,
  last_read: optional('When the user last read the thread.', Time),
});

const Receipt = Type.Object({
  user: doc('The member.', UserSchema),
  at: optional('When the member read or got the message.', Time),
});

/** The messages that make a channel unread for someone. */
const UnreadExplanationSchema = Type.Object({
  unread_count: doc('The number of unread messages.', Type.Integer()),
  last_number: doc('The last number of the channel.', Type.Integer()),
  last_read_number: doc('The number up to which the user has read.', Type.Integer()),
  last_read: optional('When the user last read the channel.', Time),
  marked_unread: doc('Whether the user has marked the channel unread.', Type.Boolean()),
  removed: doc('The number of messages that were removed for good and still count.', Type.Integer()),
  messages: doc(
    'The messages after the mark, newest first.',
    Type.Array(
      Type.Object({
        id: doc('The id of the message.', Id),
        number: doc('The number of the message.', Type.Integer()),
        user: optional('The author.', UserSchema),
        text: doc('The text.', Type.String()),
        created_at: doc('When the message was sent.', Time),
        reason: doc('Why the message counts or does not.', Type.Enum(['unread', 'deleted', 'silent'])),
      }),
    ),
  ),
});

const readReply = Type.Object({ read: doc('The mark of the user after the call.', ReadStateSchema) });

export const readsCalls = {
  'POST /channels/{type}/{id}/read': call({
    side: 'CS',
    limit: 'event',
    summary:
      'Mark read up to a message, or to the last one; with `thread_id` a thread, up to a reply or to its end',
    body: closed({
      message_id: optional('The message to mark read up to; left out for the last one.', Id),
      last_number: optional(
        'Without `message_id`: mark no further than this number, so that newer messages stay unread.',
        Type.Integer({ minimum: 0 }),
      ),
      thread_id: optional('The thread to mark read instead of the channel.', Id),
    }),
    reply: readReply,
  }),
  'POST /channels/{type}/{id}/unread': call({
    side: 'CS',
    limit: 'event',
    summary: 'Mark unread from a message on; others see no difference',
    body: closed({ message_id: doc('The first message to be unread.', Id) }),
    reply: readReply,
  }),
  'POST /channels/read': call({
    side: 'CS',
    limit: 'write',
    summary: 'Mark several channels read, or all',
    body: closed({
      cids: optional(
        'The channels to mark read; left out for all.',
        Type.Array(Cid, { maxItems: limits.cidsPerCall }),
      ),
    }),
    reply: Type.Object({
      cids: doc('The channels that were marked read.', Type.Array(Cid)),
      marks: doc(
        'The new mark in each channel.',
        Type.Array(
          Type.Object({
            cid: doc('The channel.', Cid),
            read: doc('The mark of the user in it.', ReadStateSchema),
          }),
        ),
      ),
    }),
  }),
  'POST /channels/delivered': call({
    side: 'CS',
    limit: 'event',
    summary: 'Report what has arrived on this device',
    body: closed({
      latest_delivered_messages: doc(
        'The latest message that reached the device, for each channel.',
        Type.Array(closed({ cid: doc('The channel.', Cid), id: doc('The message.', Id) }), {
          minItems: 1,
          maxItems: limits.deliveredPerCall,
        }),
      ),
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
      member_count: doc('The number of members who can have a receipt.', Type.Integer()),
      read_count: doc('The number of members who have read the message.', Type.Integer()),
      delivered_count: doc('The number of members whom the message has reached.', Type.Integer()),
      read: doc('The newest readers.', Type.Array(Receipt)),
      delivered: doc('The newest members whom the message has reached.', Type.Array(Receipt)),
    }),
  }),
  'GET /unread': call({
    side: 'CS',
    limit: 'read',
    summary: 'What is unread, by channel',
    reply: Type.Object({
      total_unread_count: doc('The number of unread messages in all channels.', Type.Integer()),
      total_unread_threads_count: doc('The number of followed threads with unread replies.', Type.Integer()),
      channels: doc('The channels with unread messages.', Type.Array(UnreadChannel)),
      uncounted: doc(
        'Channels of the user in which nothing is ever unread: invitations, and those where the user cannot mark messages read.',
        Type.Array(Cid),
      ),
      threads: doc('The threads with unread replies.', Type.Array(UnreadThread)),
    }),
  }),
};

/** Absent where they could not be counted. */
const totals = {
  total_unread_count: optional('The number of unread messages in all channels of the user.', Type.Integer()),
  unread_channels: optional('The number of channels with unread messages.', Type.Integer()),
  unread_threads: optional('The number of followed threads with unread replies.', Type.Integer()),
};

export const readsEvents = {
  'message.read': Type.Object({
    user: doc('The member who has read.', UserSchema),
    last_read: doc('When the member read.', Time),
    last_read_message_id: optional('The last message that the member has read.', Id),
    last_read_number: doc('The number up to which the member has read.', Type.Integer()),
  }),
  'message.delivered': Type.Object({
    user: doc('The member whom the message has reached.', UserSchema),
    last_delivered_at: doc('When the message reached a device of the member.', Time),
    last_delivered_message_id: doc('The last message that reached the member.', Id),
  }),
  /** The event is not in the log: it comes at most every three seconds, where marks are counts. */
  'channel.read_counts': Type.Object({
    read_counts: doc('How many members have read and got messages up to a number.', ReadCountsSchema),
  }),
  'notification.mark_read': Type.Object({
    read: optional('The mark of the user in the channel; absent where a thread was read.', ReadStateSchema),
    ...totals,
    thread_id: optional('The thread that was read.', Id),
    unread_messages: optional('The number of replies left unread in that thread.', Type.Integer()),
    ...threadMark,
  }),
  'notification.mark_unread': Type.Object({
    read: doc('The mark of the user in the channel.', ReadStateSchema),
    ...totals,
  }),
};
