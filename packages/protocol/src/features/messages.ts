import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import {
  Cid,
  type CustomAttachment,
  type CustomMessage,
  closed,
  Id,
  Limit,
  NewId,
  Next,
  open,
  Patch,
  queryProperties,
  ReplySeq,
  Time,
  Url,
} from '../schema.ts';
import { CommandName } from './command-record.ts';
import { SharedLocationInputSchema, SharedLocationSchema } from './location-record.ts';
import { PollSchema } from './poll-record.ts';
import { ReactionGroupSchema, ReactionSchema } from './reaction-record.ts';
import { OwnReminderSchema } from './reminder-record.ts';
import { UserSchema } from './users.ts';

export const AttachmentSchema = open({
  type: Type.Optional(Type.String({ maxLength: 64 })),
  title: Type.Optional(Type.String({ maxLength: 1024 })),
  text: Type.Optional(Type.String({ maxLength: 5000 })),
  asset_url: Type.Optional(Url),
  image_url: Type.Optional(Url),
  thumb_url: Type.Optional(Url),
  title_link: Type.Optional(Url),
  author_name: Type.Optional(Type.String({ maxLength: 256 })),
  /** Of a link preview: the URL it was asked for. */
  og_scrape_url: Type.Optional(Url),
  /** Of an uploaded file these are set by the server. */
  mime_type: Type.Optional(Type.String({ maxLength: 128 })),
  file_size: Type.Optional(Type.Integer({ minimum: 0 })),
  width: Type.Optional(Type.Integer({ minimum: 0 })),
  height: Type.Optional(Type.Integer({ minimum: 0 })),
  duration: Type.Optional(Type.Number({ minimum: 0 })),
  /** Of a recording: how loud it is from beginning to end. */
  waveform_data: Type.Optional(
    Type.Array(Type.Number({ minimum: 0, maximum: 1 }), { maxItems: limits.waveformSamples }),
  ),
});
export type Attachment = Static<typeof AttachmentSchema> & CustomAttachment;

const MessageType = Type.Enum(['regular', 'reply', 'system', 'ephemeral', 'error', 'deleted']);

const base = {
  id: Id,
  cid: Cid,
  user: Type.Optional(UserSchema),
  text: Type.String(),
  type: MessageType,
  attachments: Type.Array(AttachmentSchema),
  mentioned_users: Type.Array(UserSchema),
  mentioned_roles: Type.Optional(Type.Array(Type.String())),
  mentioned_here: Type.Optional(Type.Boolean()),
  mentioned_channel: Type.Optional(Type.Boolean()),
  /** How it was first sent: what an edit changes is the text. */
  command: Type.Optional(Type.String()),
  args: Type.Optional(Type.String()),
  parent_id: Type.Optional(Id),
  show_in_channel: Type.Optional(Type.Boolean()),
  quoted_message_id: Type.Optional(Id),
  reply_count: Type.Integer(),
  thread_participants: Type.Optional(Type.Array(UserSchema)),
  reaction_counts: Type.Record(Type.String(), Type.Integer()),
  reaction_scores: Type.Record(Type.String(), Type.Integer()),
  reaction_groups: Type.Record(Type.String(), ReactionGroupSchema),
  latest_reactions: Type.Array(ReactionSchema),
  own_reactions: Type.Optional(Type.Array(ReactionSchema)),
  /** The reader's own, in replies to them. */
  reminder: Type.Optional(OwnReminderSchema),
  pinned: Type.Boolean(),
  pinned_at: Type.Optional(Time),
  pinned_by: Type.Optional(UserSchema),
  pin_expires: Type.Optional(Time),
  /** Without `poll` where the poll was deleted. */
  poll_id: Type.Optional(Id),
  poll: Type.Optional(PollSchema),
  shared_location: Type.Optional(SharedLocationSchema),
  silent: Type.Boolean(),
  shadowed: Type.Optional(Type.Boolean()),
  pending: Type.Optional(Type.Boolean()),
  number: Type.Integer(),
  created_at: Time,
  updated_at: Time,
  message_text_updated_at: Type.Optional(Time),
  deleted_at: Type.Optional(Time),
  /** Somebody other than the author deleted it: it is not the author's to bring back. */
  deleted_by_other: Type.Optional(Type.Boolean()),
};

const QuotedSchema = open(base);
export const MessageSchema = open({ ...base, quoted_message: Type.Optional(QuotedSchema) });
export type QuotedMessage = Static<typeof QuotedSchema> & CustomMessage;
export type Message = Omit<Static<typeof MessageSchema>, 'attachments' | 'quoted_message'> & {
  attachments: Attachment[];
  quoted_message?: QuotedMessage;
} & CustomMessage;

const MessageText = Type.String({ maxLength: limits.textLength });
const mentions = {
  mentioned_users: Type.Optional(Type.Array(Id, { maxItems: limits.mentionsPerMessage })),
  mentioned_roles: Type.Optional(Type.Array(Id, { maxItems: limits.rolesPerMessage })),
  mentioned_here: Type.Optional(Type.Boolean()),
  mentioned_channel: Type.Optional(Type.Boolean()),
};

/** What a caller may say of a new message. `user_id` and the types `system` and `ephemeral` only by the server. */
export const MessageInputSchema = open({
  id: Type.Optional(NewId),
  text: Type.Optional(MessageText),
  type: Type.Optional(Type.Enum(['regular', 'system', 'ephemeral'])),
  attachments: Type.Optional(Type.Array(AttachmentSchema, { maxItems: limits.attachmentsMost })),
  ...mentions,
  command: Type.Optional(CommandName),
  args: Type.Optional(MessageText),
  parent_id: Type.Optional(Id),
  show_in_channel: Type.Optional(Type.Boolean()),
  quoted_message_id: Type.Optional(Id),
  poll_id: Type.Optional(Id),
  shared_location: Type.Optional(SharedLocationInputSchema),
  silent: Type.Optional(Type.Boolean()),
  user_id: Type.Optional(Id),
});
export type MessageInput = Omit<Static<typeof MessageInputSchema>, 'attachments'> & {
  attachments?: Attachment[];
} & Partial<CustomMessage>;

const MessageEditSchema = open({
  text: Type.Optional(MessageText),
  attachments: Type.Optional(Type.Array(AttachmentSchema, { maxItems: limits.attachmentsMost })),
  ...mentions,
  /** Null takes the location away; a share that is live ends with it. */
  shared_location: Type.Optional(Type.Null()),
  user_id: Type.Optional(Id),
});

/** What a message said before an edit, and who replaced it when. */
const MessageVersionSchema = open({
  message_id: Id,
  text: Type.String(),
  attachments: Type.Array(AttachmentSchema),
  message_updated_at: Time,
  message_updated_by_id: Type.Optional(Id),
  message_updated_by: Type.Optional(UserSchema),
});
export type MessageVersion = Omit<Static<typeof MessageVersionSchema>, 'attachments'> & {
  attachments: Attachment[];
};

const reply = Type.Object({ message: MessageSchema, seq: ReplySeq });

/** A window into a list of messages; at most one of the positions. */
export const MessageWindowSchema = closed({
  limit: Type.Optional(Limit),
  id_lt: Type.Optional(Id),
  id_lte: Type.Optional(Id),
  id_gt: Type.Optional(Id),
  id_gte: Type.Optional(Id),
  id_around: Type.Optional(Id),
  created_at_around: Type.Optional(Time),
});
export type MessageWindow = Static<typeof MessageWindowSchema>;

export const messagesCalls = {
  'POST /channels/{type}/{id}/message': call({
    side: 'CS',
    limit: 'message',
    summary: 'Send a message; the same id from the same author again returns the stored one (200)',
    status: 201,
    body: closed({
      message: MessageInputSchema,
      skip_push: Type.Optional(Type.Boolean()),
      pending: Type.Optional(Type.Boolean()),
    }),
    reply,
  }),
  'GET /channels/{type}/{id}/messages': call({
    side: 'CS',
    limit: 'read',
    summary: 'Messages by their ids, comma-separated',
    query: closed({ ids: Type.String({ maxLength: 65 * limits.pageMax }) }),
    reply: Type.Object({ messages: Type.Array(MessageSchema) }),
  }),
  'GET /messages/{id}': call({ side: 'CS', limit: 'read', summary: 'One message', reply }),
  'PUT /messages/{id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Replace what the author said',
    body: closed({ message: MessageEditSchema }),
    reply,
  }),
  'PATCH /messages/{id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Partly update a message; `pinned` and `pin_expires` pin it',
    body: Patch,
    reply,
  }),
  'DELETE /messages/{id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Delete a message; `hard=true` removes it for good',
    query: closed({ hard: Type.Optional(Type.Enum(['true', 'false'])) }),
    reply,
  }),
  'POST /messages/{id}/undelete': call({
    side: 'CS',
    limit: 'write',
    summary: 'Bring a softly deleted message back',
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
    body: closed(queryProperties),
    reply: Type.Object({ message_history: Type.Array(MessageVersionSchema), next: Next }),
  }),
  'GET /messages/{id}/replies': call({
    side: 'CS',
    limit: 'read',
    summary: 'Replies of a thread, oldest first, 50 a page',
    query: closed({
      limit: Type.Optional(
        Type.String({ pattern: '^[0-9]{1,3}$', errorText: 'must be a number from 1 to 100' }),
      ),
      id_lt: Type.Optional(Id),
      id_lte: Type.Optional(Id),
      id_gt: Type.Optional(Id),
      id_gte: Type.Optional(Id),
      id_around: Type.Optional(Id),
    }),
    reply: Type.Object({ messages: Type.Array(MessageSchema) }),
  }),
};

export const messagesEvents = {
  'message.new': Type.Object({ message: MessageSchema }),
  'message.updated': Type.Object({ message: MessageSchema, unpinned: Type.Optional(Type.Boolean()) }),
  'message.deleted': Type.Object({ message: MessageSchema, hard_delete: Type.Boolean() }),
  'message.undeleted': Type.Object({ message: MessageSchema }),
  'notification.message_new': Type.Object({ message: MessageSchema }),
  /** To the own user alone: neither is in the log. */
  'notification.ephemeral_message': Type.Object({ message: MessageSchema }),
  'notification.pending_message': Type.Object({ message: MessageSchema }),
  'notification.pending_message_deleted': Type.Object({ message: MessageSchema }),
};
