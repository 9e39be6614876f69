/** The record is apart from the calls, because drafts, threads and reminders hold messages. */
import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { doc, optional, record } from '../record.ts';
import {
  Cid,
  type CustomAttachment,
  type CustomMessage,
  closed,
  Id,
  Limit,
  NewId,
  open,
  Time,
  Url,
} from '../schema.ts';
import { CommandName } from './command-record.ts';
import { SharedLocationInputSchema, SharedLocationSchema } from './location-record.ts';
import { PollSchema } from './poll-record.ts';
import { ReactionGroupSchema, ReactionSchema } from './reaction-record.ts';
import { OwnReminderSchema } from './reminder-record.ts';
import { UserSchema } from './users.ts';

const attachment = open({
  type: optional(
    'The kind of attachment, such as `image`, `file` or `article`.',
    Type.String({ maxLength: 64 }),
  ),
  title: optional('The title, or the name of the file.', Type.String({ maxLength: 1024 })),
  text: optional('A text that describes the attachment.', Type.String({ maxLength: 5000 })),
  asset_url: optional('The URL of the file, video or audio.', Url),
  image_url: optional('The URL of the image.', Url),
  thumb_url: optional('The URL of a smaller image.', Url),
  title_link: optional('The URL to open for the title.', Url),
  author_name: optional('The name of the author or site.', Type.String({ maxLength: 256 })),
  og_scrape_url: optional('The URL that a link preview was requested for.', Url),
  mime_type: optional(
    'The media type; the server sets it for uploaded files.',
    Type.String({ maxLength: 128 }),
  ),
  file_size: optional(
    'The size in bytes; the server sets it for uploaded files.',
    Type.Integer({ minimum: 0 }),
  ),
  width: optional(
    'The width in pixels; the server sets it for uploaded files.',
    Type.Integer({ minimum: 0 }),
  ),
  height: optional(
    'The height in pixels; the server sets it for uploaded files.',
    Type.Integer({ minimum: 0 }),
  ),
  duration: optional(
    'The length in seconds; the server sets it for uploaded files.',
    Type.Number({ minimum: 0 }),
  ),
  waveform_data: optional(
    'The loudness of a recording from beginning to end, from 0 to 1.',
    Type.Array(Type.Number({ minimum: 0, maximum: 1 }), { maxItems: limits.waveformSamples }),
  ),
});
export interface Attachment extends Static<typeof attachment>, CustomAttachment {}
export const AttachmentSchema = record<Attachment>('Attachment', attachment);

const MessageType = Type.Enum(['regular', 'reply', 'system', 'ephemeral', 'error', 'deleted']);

const messageProperties = {
  id: doc('The id of the message, unique in the app.', Id),
  cid: doc('The channel of the message.', Cid),
  user: optional('The author.', UserSchema),
  text: doc('The text of the message, in Markdown.', Type.String()),
  type: doc('The kind of message.', MessageType),
  attachments: doc('The attachments.', Type.Array(AttachmentSchema)),
  mentioned_users: doc('The users mentioned in the text.', Type.Array(UserSchema)),
  mentioned_roles: optional('The roles mentioned in the text.', Type.Array(Type.String())),
  mentioned_here: optional('Whether all members who are online are mentioned.', Type.Boolean()),
  mentioned_channel: optional('Whether all members are mentioned.', Type.Boolean()),
  command: optional(
    'The command that the message was first sent with; edits change only the text.',
    Type.String(),
  ),
  args: optional('What was written after the command.', Type.String()),
  parent_id: optional('The parent message, for a reply in a thread.', Id),
  show_in_channel: optional('Whether a reply in a thread is shown in the channel, too.', Type.Boolean()),
  quoted_message_id: optional('The id of the quoted message.', Id),
  reply_count: doc('The number of replies in the thread of the message.', Type.Integer()),
  thread_participants: optional('Users who have replied in the thread.', Type.Array(UserSchema)),
  reaction_counts: doc('The number of reactions, by their type.', Type.Record(Type.String(), Type.Integer())),
  reaction_scores: doc(
    'The sum of the scores of reactions, by their type.',
    Type.Record(Type.String(), Type.Integer()),
  ),
  reaction_groups: doc(
    'A summary of the reactions, by their type.',
    Type.Record(Type.String(), ReactionGroupSchema),
  ),
  latest_reactions: doc('The latest reactions, newest first.', Type.Array(ReactionSchema)),
  own_reactions: optional(
    'The reactions of the reader; in replies, never in events.',
    Type.Array(ReactionSchema),
  ),
  reminder: optional('The reminder of the reader; in replies, never in events.', OwnReminderSchema),
  pinned: doc('Whether the message is pinned.', Type.Boolean()),
  pinned_at: optional('When the message was pinned.', Time),
  pinned_by: optional('The user who pinned the message.', UserSchema),
  pin_expires: optional('When the pin ends; absent for one without an end.', Time),
  poll_id: optional('The id of the poll; it stays where the poll was deleted.', Id),
  poll: optional('The poll of the message.', PollSchema),
  shared_location: optional('The location that the message shares.', SharedLocationSchema),
  silent: doc('Whether the message counts as unread for nobody.', Type.Boolean()),
  shadowed: optional('Whether only the author sees the message.', Type.Boolean()),
  pending: optional('Whether the message waits to be committed and only its author sees it.', Type.Boolean()),
  number: doc('How many messages of the channel count as unread up to this one.', Type.Integer()),
  created_at: doc('When the message was sent.', Time),
  updated_at: doc('When the message last changed.', Time),
  message_text_updated_at: optional('When the text was last edited.', Time),
  deleted_at: optional('When the message was deleted.', Time),
  deleted_by_other: optional(
    'Somebody other than the author deleted it, so the author cannot restore it.',
    Type.Boolean(),
  ),
};

const quotedMessage = open(messageProperties);
/** A message inside another that quotes it: without its own quote. */
export interface QuotedMessage extends Static<typeof quotedMessage>, CustomMessage {}
const QuotedMessageSchema = record<QuotedMessage>('QuotedMessage', quotedMessage);

const message = open({
  ...messageProperties,
  quoted_message: optional('The quoted message.', QuotedMessageSchema),
});
export interface Message extends Static<typeof message>, CustomMessage {}
export const MessageSchema = record<Message>('Message', message);

const MessageText = Type.String({ maxLength: limits.textLength });
const contentProperties = {
  attachments: optional(
    'The attachments.',
    Type.Array(AttachmentSchema, { maxItems: limits.attachmentsMost }),
  ),
  mentioned_users: optional(
    'The ids of the users to mention.',
    Type.Array(Id, { maxItems: limits.mentionsPerMessage }),
  ),
  mentioned_roles: optional('The roles to mention.', Type.Array(Id, { maxItems: limits.rolesPerMessage })),
  mentioned_here: optional('Whether to mention all members who are online.', Type.Boolean()),
  mentioned_channel: optional('Whether to mention all members.', Type.Boolean()),
};
const author = { user_id: optional('The author; only a server may set it.', Id) };

const messageInput = open({
  id: optional('The id of the message; the server chooses one if it is left out.', NewId),
  text: optional('The text of the message, in Markdown.', MessageText),
  type: optional(
    'The kind of message; only a server may send `system` and `ephemeral`.',
    Type.Enum(['regular', 'system', 'ephemeral']),
  ),
  ...contentProperties,
  command: optional('The command to run.', CommandName),
  args: optional('What was written after the command.', MessageText),
  parent_id: optional('The parent message, for a reply in a thread.', Id),
  show_in_channel: optional('Whether to show a reply in the channel, too.', Type.Boolean()),
  quoted_message_id: optional('The message to quote.', Id),
  poll_id: optional('The poll to send with the message.', Id),
  shared_location: optional('The location to share.', SharedLocationInputSchema),
  silent: optional('Whether the message counts as unread for nobody.', Type.Boolean()),
  ...author,
});
/** The fields of a new message. */
export interface MessageInput extends Static<typeof messageInput>, Partial<CustomMessage> {}
export const MessageInputSchema = record<MessageInput>('MessageInput', messageInput);

const messageEdit = open({
  text: optional('The new text.', MessageText),
  ...contentProperties,
  shared_location: optional('Null removes the location and ends its sharing.', Type.Null()),
  ...author,
});
/** The fields that an edit replaces. */
export interface MessageEdit extends Static<typeof messageEdit>, Partial<CustomMessage> {}
export const MessageEditSchema = record<MessageEdit>('MessageEdit', messageEdit);

const messageVersion = open({
  message_id: doc('The message.', Id),
  text: doc('The text before the edit.', Type.String()),
  attachments: doc('The attachments before the edit.', Type.Array(AttachmentSchema)),
  message_updated_at: doc('When the edit replaced this version.', Time),
  message_updated_by_id: optional('The id of the user who edited the message.', Id),
  message_updated_by: optional('The user who edited the message.', UserSchema),
});
/** The content of a message before an edit. */
export interface MessageVersion extends Static<typeof messageVersion> {}
export const MessageVersionSchema = record<MessageVersion>('MessageVersion', messageVersion);

export const positionProperties = {
  id_lt: optional('Messages before this one.', Id),
  id_lte: optional('This message and those before it.', Id),
  id_gt: optional('Messages after this one.', Id),
  id_gte: optional('This message and those after it.', Id),
  id_around: optional('This message and those around it.', Id),
};
const messageWindow = closed({
  limit: optional('The maximum number of messages.', Limit),
  ...positionProperties,
  created_at_around: optional('The messages around this time.', Time),
});
/** A window into a list of messages; at most one of the positions. */
export interface MessageWindow extends Static<typeof messageWindow> {}
export const MessageWindowSchema = record<MessageWindow>('MessageWindow', messageWindow);
