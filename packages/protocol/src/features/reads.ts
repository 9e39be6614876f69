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
});
export type ReadState = Static<typeof ReadStateSchema>;

const UnreadChannel = Type.Object({
  channel_id: Cid,
  unread_count: Type.Integer(),
  last_read: Type.Optional(Time),
});

export const readsCalls = {
  'POST /channels/{type}/{id}/read': call({
    side: 'CS',
    limit: 'event',
    summary: 'Mark read up to a message, or to the last one',
    body: closed({ message_id: Type.Optional(Id) }),
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
    reply: Type.Object({ cids: Type.Array(Cid) }),
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
  'GET /unread': call({
    side: 'CS',
    limit: 'read',
    summary: 'What is unread, by channel',
    reply: Type.Object({
      total_unread_count: Type.Integer(),
      total_unread_threads_count: Type.Integer(),
      channels: Type.Array(UnreadChannel),
      threads: Type.Array(Type.Unknown()),
    }),
  }),
};

const totals = { total_unread_count: Type.Integer(), unread_channels: Type.Integer() };

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
  'notification.mark_read': Type.Object({ read: Type.Optional(ReadStateSchema), ...totals }),
  'notification.mark_unread': Type.Object({ read: ReadStateSchema, ...totals }),
};
