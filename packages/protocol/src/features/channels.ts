import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import {
  Cid,
  type CustomChannel,
  closed,
  Id,
  Name,
  Next,
  open,
  Patch,
  queryProperties,
  ReplySeq,
  Time,
  Url,
} from '../schema.ts';
import { ChannelConfigSchema } from './channel-types.ts';
import { DraftSchema } from './draft-record.ts';
import { MemberInputSchema, MemberSchema } from './members.ts';
import { type Message, MessageInputSchema, MessageSchema, MessageWindowSchema } from './messages.ts';
import { ReadCountsSchema, ReadStateSchema } from './reads.ts';
import { UserSchema } from './users.ts';

/** `hidden`, `muted` and `own_capabilities` are personal: in replies, never in events. */
export const ChannelSchema = open({
  id: Id,
  type: Id,
  cid: Cid,
  name: Type.Optional(Name),
  image: Type.Optional(Url),
  created_by: Type.Optional(UserSchema),
  created_at: Time,
  updated_at: Time,
  deleted_at: Type.Optional(Time),
  last_message_at: Type.Optional(Time),
  member_count: Type.Integer(),
  frozen: Type.Boolean(),
  cooldown: Type.Integer(),
  disabled: Type.Boolean(),
  truncated_at: Type.Optional(Time),
  hidden: Type.Optional(Type.Boolean()),
  muted: Type.Optional(Type.Boolean()),
  own_capabilities: Type.Optional(Type.Array(Type.String())),
  config: Type.Optional(ChannelConfigSchema),
  /** What the channel's size makes less exact; absent when nothing is. */
  fidelity: Type.Optional(Type.Object({ reads: Type.Optional(Type.Literal('counts')) })),
});
export type Channel = Static<typeof ChannelSchema> & CustomChannel;

/** What a caller may say of a channel. `created_by_id` only by the server. */
export const ChannelInputSchema = open({
  name: Type.Optional(Name),
  image: Type.Optional(Url),
  frozen: Type.Optional(Type.Boolean()),
  cooldown: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.cooldownMaxSeconds })),
  disabled: Type.Optional(Type.Boolean()),
  members: Type.Optional(Type.Array(MemberInputSchema, { maxItems: limits.membersPerCall })),
  created_by_id: Type.Optional(Id),
});
export type ChannelInput = Static<typeof ChannelInputSchema> & Partial<CustomChannel>;

export const ChannelStateSchema = Type.Object({
  channel: ChannelSchema,
  members: Type.Array(MemberSchema),
  messages: Type.Array(MessageSchema),
  read: Type.Array(ReadStateSchema),
  read_counts: Type.Optional(ReadCountsSchema),
  watchers: Type.Optional(Type.Array(UserSchema)),
  watcher_count: Type.Integer(),
  pinned_messages: Type.Array(MessageSchema),
  /** The reader's own that wait for their commit. */
  pending_messages: Type.Optional(Type.Array(MessageSchema)),
  membership: Type.Optional(MemberSchema),
  /** What the caller has written here and not sent. */
  draft: Type.Optional(DraftSchema),
  seq: Type.Integer(),
  /** Of the channel's log: another one means that the channel was made anew, and what is known of it is of another. */
  log_id: Type.String(),
  /** When the event of `seq` was written; absent where the log no longer has it. */
  seq_at: Type.Optional(Time),
  /** How many messages count as unread for someone who has read nothing. */
  last_number: Type.Integer(),
});
export type ChannelStateReply = Omit<
  Static<typeof ChannelStateSchema>,
  'messages' | 'pinned_messages' | 'pending_messages'
> & {
  messages: Message[];
  pinned_messages: Message[];
  pending_messages?: Message[];
};

const channelReply = Type.Object({ channel: ChannelSchema, seq: ReplySeq });
const members = Type.Optional(
  Type.Array(MemberInputSchema, { minItems: 1, maxItems: limits.membersPerCall }),
);
const memberIds = Type.Optional(Type.Array(Id, { minItems: 1, maxItems: limits.membersPerCall }));
const stateBody = {
  data: Type.Optional(ChannelInputSchema),
  watch: Type.Optional(Type.Boolean()),
  state: Type.Optional(Type.Boolean()),
  presence: Type.Optional(Type.Boolean()),
  messages: Type.Optional(MessageWindowSchema),
  members: Type.Optional(
    closed({ limit: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.pageMax })) }),
  ),
};

export const channelsCalls = {
  'POST /channels': call({
    side: 'CS',
    limit: 'read',
    summary: 'Query channels with their state; `watch` subscribes the connection',
    body: closed({
      ...queryProperties,
      watch: Type.Optional(Type.Boolean()),
      state: Type.Optional(Type.Boolean()),
      presence: Type.Optional(Type.Boolean()),
      message_limit: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.pageMax })),
      member_limit: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.pageMax })),
    }),
    reply: Type.Object({ channels: Type.Array(ChannelStateSchema), next: Next }),
  }),
  'POST /channels/{type}/query': call({
    side: 'CS',
    limit: 'read',
    summary: 'The one channel of exactly `data.members`, made if there is none',
    status: 201,
    body: closed(stateBody),
    reply: ChannelStateSchema,
  }),
  'POST /channels/{type}/{id}/query': call({
    side: 'CS',
    limit: 'read',
    summary: 'Get a channel with its state, or make it',
    status: 201,
    body: closed(stateBody),
    reply: ChannelStateSchema,
  }),
  'POST /channels/{type}/{id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Replace channel data, change membership, optionally with a message',
    body: closed({
      data: Type.Optional(ChannelInputSchema),
      add_members: members,
      remove_members: memberIds,
      add_moderators: memberIds,
      demote_moderators: memberIds,
      invites: members,
      accept_invite: Type.Optional(Type.Boolean()),
      reject_invite: Type.Optional(Type.Boolean()),
      message: Type.Optional(MessageInputSchema),
    }),
    reply: Type.Object({
      channel: ChannelSchema,
      members: Type.Array(MemberSchema),
      message: Type.Optional(MessageSchema),
      seq: ReplySeq,
    }),
  }),
  'PATCH /channels/{type}/{id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Partly update channel data',
    body: Patch,
    reply: channelReply,
  }),
  'DELETE /channels/{type}/{id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Delete a channel; `hard_delete=true` removes it and its messages for good',
    query: closed({ hard_delete: Type.Optional(Type.Enum(['true', 'false'])) }),
    reply: channelReply,
  }),
  'POST /channels/delete': call({
    side: 'CS',
    limit: 'write',
    summary: 'Delete many channels as a task, whose result says which were gone; for good only by the server',
    status: 202,
    body: closed({
      cids: Type.Array(Cid, { minItems: 1, maxItems: limits.cidsPerCall }),
      hard_delete: Type.Optional(Type.Boolean()),
    }),
    reply: Type.Object({ task_id: Id }),
  }),
  'POST /channels/{type}/{id}/truncate': call({
    side: 'CS',
    limit: 'write',
    summary: 'Drop all messages so far',
    body: closed({ message: Type.Optional(MessageInputSchema) }),
    reply: Type.Object({
      channel: ChannelSchema,
      message: Type.Optional(MessageSchema),
      /** Of more than 1 000 messages: nobody sees them any more, and the task removes them. */
      task_id: Type.Optional(Id),
    }),
  }),
  'POST /channels/{type}/{id}/stop-watching': call({
    side: 'C',
    limit: 'event',
    summary: 'End the subscription of a connection',
    body: closed({}),
    reply: Type.Object({}),
  }),
};

const channelEvent = Type.Object({ channel: ChannelSchema });

export const channelsEvents = {
  'channel.updated': Type.Object({ channel: ChannelSchema, message: Type.Optional(MessageSchema) }),
  'channel.deleted': channelEvent,
  /** `last_number` at that moment: everyone has read up to it. */
  'channel.truncated': Type.Object({ channel: ChannelSchema, last_number: Type.Integer() }),
  'notification.added_to_channel': Type.Object({ channel: ChannelSchema, member: MemberSchema }),
  'notification.removed_from_channel': Type.Object({ channel: ChannelSchema, member: MemberSchema }),
  'notification.invited': Type.Object({ channel: ChannelSchema, member: MemberSchema }),
  'notification.invite_accepted': Type.Object({ channel: ChannelSchema, member: MemberSchema }),
  'notification.invite_rejected': Type.Object({ channel: ChannelSchema, member: MemberSchema }),
  /** To one connection: it no longer gets the channel's events, as it may no longer read the channel. */
  'notification.channel_unwatched': Type.Object({}),
  'notification.channel_deleted': channelEvent,
  'notification.channel_truncated': channelEvent,
};
