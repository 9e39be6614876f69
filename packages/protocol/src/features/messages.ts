import { Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { doc, optional } from '../record.ts';
import { closed, Next, patchProperties, queryProperties, ReplySeq } from '../schema.ts';
import {
  MessageEditSchema,
  MessageInputSchema,
  MessageSchema,
  MessageVersionSchema,
  positionProperties,
} from './message-record.ts';

const reply = Type.Object({ message: doc('The message.', MessageSchema), seq: ReplySeq });
const listReply = Type.Object({ messages: doc('The messages.', Type.Array(MessageSchema)) });

export const messagesCalls = {
  'POST /channels/{type}/{id}/message': call({
    side: 'CS',
    limit: 'message',
    summary: 'Send a message; the same id from the same author again returns the stored one (200)',
    status: 201,
    body: closed({
      message: doc('The message to send.', MessageInputSchema),
      skip_push: optional('Whether to send no push notifications.', Type.Boolean()),
      pending: optional('Whether to hold the message back until it is committed.', Type.Boolean()),
    }),
    reply,
  }),
  'GET /channels/{type}/{id}/messages': call({
    side: 'CS',
    limit: 'read',
    summary: 'Messages by their ids, comma-separated',
    query: closed({
      ids: doc(
        'The ids of the messages, separated by commas.',
        Type.String({ maxLength: 65 * limits.pageMax }),
      ),
    }),
    reply: listReply,
  }),
  'GET /messages/{id}': call({ side: 'CS', limit: 'read', summary: 'One message', reply }),
  'PUT /messages/{id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Replace what the author said',
    body: closed({ message: doc('The new content.', MessageEditSchema) }),
    reply,
  }),
  'PATCH /messages/{id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Partly update a message; `pinned` and `pin_expires` pin it',
    body: closed({ ...patchProperties }),
    reply,
  }),
  'DELETE /messages/{id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Delete a message; `hard=true` removes it for good',
    query: closed({
      hard: optional('Whether to remove the message for good.', Type.Enum(['true', 'false'])),
    }),
    reply,
  }),
  'POST /messages/{id}/undelete': call({
    side: 'CS',
    limit: 'write',
    summary: 'Restore a softly deleted message',
    body: closed({}),
    reply,
  }),
  'POST /messages/{id}/commit': call({
    side: 'CS',
    limit: 'message',
    summary: 'Publish a pending message; again returns the published one (200)',
    status: 201,
    body: closed({}),
    reply,
  }),
  'POST /messages/history': call({
    side: 'CS',
    limit: 'read',
    summary: 'What a message said before its edits, newest first; the filter names its `message_id`',
    body: closed({ ...queryProperties }),
    reply: Type.Object({
      message_history: doc('The earlier versions, newest first.', Type.Array(MessageVersionSchema)),
      next: Next,
    }),
  }),
  'GET /messages/{id}/replies': call({
    side: 'CS',
    limit: 'read',
    summary: 'Replies of a thread, oldest first, 50 a page',
    query: closed({
      limit: optional(
        'The maximum number of replies.',
        Type.String({ pattern: '^[0-9]{1,3}$', errorText: 'must be a number from 1 to 100' }),
      ),
      ...positionProperties,
    }),
    reply: listReply,
  }),
};

const messageEvent = Type.Object({ message: doc('The message.', MessageSchema) });

export const messagesEvents = {
  'message.new': messageEvent,
  'message.updated': Type.Object({
    message: doc('The message as it is now.', MessageSchema),
    unpinned: optional('Whether the change is that the message was unpinned.', Type.Boolean()),
  }),
  'message.deleted': Type.Object({
    message: doc('The deleted message.', MessageSchema),
    hard_delete: doc('Whether the message was removed for good.', Type.Boolean()),
  }),
  'message.undeleted': messageEvent,
  'notification.message_new': messageEvent,
  /** Both go to the own user alone: neither is in the log. */
  'notification.ephemeral_message': messageEvent,
  'notification.pending_message': messageEvent,
  'notification.pending_message_deleted': messageEvent,
};
