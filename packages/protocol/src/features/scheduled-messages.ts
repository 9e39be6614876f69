import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { Cid, closed, Id, Next, nullable, queryProperties, Time } from '../schema.ts';
import { MessageInputSchema } from './messages.ts';

/** A message that its author has written to be sent later. `id` is that of the message it will be. */
export const ScheduledMessageSchema = Type.Object({
  id: Id,
  cid: Cid,
  user_id: Id,
  message: MessageInputSchema,
  send_at: Time,
  /** `failed`: it could not be sent, `error` says why, and it stays until its author changes or drops it. */
  status: Type.Enum(['waiting', 'failed']),
  error: Type.Optional(Type.String()),
  created_at: Time,
  updated_at: Time,
});
export type ScheduledMessage = Static<typeof ScheduledMessageSchema>;

const reply = Type.Object({ scheduled_message: ScheduledMessageSchema });
const gone = Type.Object({ id: Id, cid: Cid, user_id: Id, updated_at: Time });

export const scheduledMessagesCalls = {
  'POST /channels/{type}/{id}/scheduled_messages': call({
    side: 'CS',
    limit: 'message',
    summary: 'Send a message later; the same id from the same author again returns what is kept (200)',
    status: 201,
    body: closed({ message: MessageInputSchema, send_at: Time }),
    reply,
  }),
  'POST /scheduled_messages/query': call({
    side: 'CS',
    limit: 'read',
    summary: 'The own scheduled messages, the next to be sent first',
    body: closed(queryProperties),
    reply: Type.Object({ scheduled_messages: Type.Array(ScheduledMessageSchema), next: Next }),
  }),
  'PATCH /scheduled_messages/{id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Change what will be sent, or when; a failed one is tried again at its new time',
    body: closed({
      text: Type.Optional(Type.String()),
      attachments: Type.Optional(nullable(MessageInputSchema.properties.attachments)),
      send_at: Type.Optional(Time),
    }),
    reply,
  }),
  'DELETE /scheduled_messages/{id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Drop a scheduled message; one that is being sent is not found any more',
    reply: Type.Object({}),
  }),
};

export const scheduledMessagesEvents = {
  'scheduled_message.created': Type.Object({ scheduled_message: ScheduledMessageSchema }),
  'scheduled_message.updated': Type.Object({ scheduled_message: ScheduledMessageSchema }),
  /** Dropped by its author, or sent. */
  'scheduled_message.deleted': Type.Object({ scheduled_message: gone, is_sent: Type.Boolean() }),
  /** It could not be sent; the text is kept. */
  'notification.scheduled_message_failed': Type.Object({ scheduled_message: ScheduledMessageSchema }),
};
