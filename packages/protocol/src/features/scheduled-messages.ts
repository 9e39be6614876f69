import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { doc, optional, record } from '../record.ts';
import { Cid, closed, Id, Next, nullable, queryProperties, Time } from '../schema.ts';
import { AttachmentSchema, MessageInputSchema } from './message-record.ts';

const scheduledMessage = Type.Object({
  id: doc('The id that the message will have.', Id),
  cid: doc('The channel to send to.', Cid),
  user_id: doc('The author.', Id),
  message: doc('The message to send.', MessageInputSchema),
  send_at: doc('When to send it.', Time),
  status: doc(
    'The state: a `failed` one could not be sent and stays until its author changes or deletes it.',
    Type.Enum(['waiting', 'failed']),
  ),
  error: optional('Why a failed message could not be sent.', Type.String()),
  created_at: doc('When the message was scheduled.', Time),
  updated_at: doc('When the scheduled message last changed.', Time),
});
/** A message that its author has written to be sent later. */
export interface ScheduledMessage extends Static<typeof scheduledMessage> {}
const ScheduledMessageSchema = record<ScheduledMessage>('ScheduledMessage', scheduledMessage);

const reply = Type.Object({ scheduled_message: doc('The scheduled message.', ScheduledMessageSchema) });
const scheduledEvent = Type.Object({
  scheduled_message: doc('The scheduled message as it is now.', ScheduledMessageSchema),
});

export const scheduledMessagesCalls = {
  'POST /channels/{type}/{id}/scheduled_messages': call({
    side: 'CS',
    limit: 'message',
    summary: 'Send a message later; the same id from the same author again returns what is kept (200)',
    status: 201,
    body: closed({
      message: doc('The message to send.', MessageInputSchema),
      send_at: doc('When to send it.', Time),
    }),
    reply,
  }),
  'POST /scheduled_messages/query': call({
    side: 'CS',
    limit: 'read',
    summary: 'The own scheduled messages, the next to be sent first',
    body: closed({ ...queryProperties }),
    reply: Type.Object({
      scheduled_messages: doc('The scheduled messages found.', Type.Array(ScheduledMessageSchema)),
      next: Next,
    }),
  }),
  'PATCH /scheduled_messages/{id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Change what will be sent, or when; a failed one is tried again at its new time',
    body: closed({
      text: optional('The new text.', Type.String()),
      attachments: optional(
        'The new attachments; null removes all.',
        nullable(Type.Array(AttachmentSchema, { maxItems: limits.attachmentsMost })),
      ),
      send_at: optional('The new time to send it.', Time),
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
  'scheduled_message.created': scheduledEvent,
  'scheduled_message.updated': scheduledEvent,
  'scheduled_message.deleted': Type.Object({
    scheduled_message: doc(
      'The scheduled message that is gone.',
      Type.Object({
        id: doc('The id of the message.', Id),
        cid: doc('The channel to send to.', Cid),
        user_id: doc('The author.', Id),
        updated_at: doc('When it was sent or deleted.', Time),
      }),
    ),
    is_sent: doc('Whether it was sent; false if its author deleted it.', Type.Boolean()),
  }),
  /** It could not be sent; the text is kept. */
  'notification.scheduled_message_failed': scheduledEvent,
};
