import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import type { Capability } from '../capabilities.ts';
import { limits } from '../limits.ts';
import { doc, optional, record } from '../record.ts';
import {
  Cid,
  type CustomChannel,
  closed,
  Id,
  Name,
  Next,
  open,
  patchProperties,
  queryProperties,
  ReplySeq,
  Time,
  Url,
} from '../schema.ts';
import { ChannelConfigSchema } from './channel-types.ts';
import { DraftSchema } from './draft-record.ts';
import { MemberInputSchema, MemberSchema } from './members.ts';
import { MessageInputSchema, MessageSchema, MessageWindowSchema } from './message-record.ts';
import { ReadCountsSchema, ReadStateSchema } from './reads.ts';
import { UserSchema } from './users.ts';

const channel = open({
  id: doc('The id of the channel, unique in its type.', Id),
  type: doc('The type of the channel.', Id),
  cid: doc('The type and the id, joined by a colon.', Cid),
  name: optional('The name to show.', Name),
  image: optional("The URL of the channel's picture.", Url),
  created_by: optional('The user who created the channel.', UserSchema),
  created_at: doc('When the channel was created.', Time),
  updated_at: doc('When the channel last changed.', Time),
  deleted_at: optional('When the channel was deleted.', Time),
  last_message_at: optional('When the last message was sent.', Time),
  member_count: doc('The number of members.', Type.Integer()),
  direct_members: optional(
    'The people of a direct conversation, also those who left it; absent in other channels.',
    Type.Array(UserSchema),
  ),
  frozen: doc('Whether new messages, reactions and votes are refused.', Type.Boolean()),
  cooldown: doc('How many seconds a member waits between two messages.', Type.Integer()),
  disabled: doc('Whether the channel is disabled.', Type.Boolean()),
  truncated_at: optional('When all messages were removed.', Time),
  hidden: optional('Whether the caller has hidden the channel; in replies, never in events.', Type.Boolean()),
  muted: optional('Whether the caller has muted the channel; in replies, never in events.', Type.Boolean()),
  own_capabilities: optional(
    'What the caller may do in the channel; in replies, never in events.',
    Type.Array(Type.Unsafe<Capability>(Type.String())),
  ),
  config: optional('What channels of this type can do.', ChannelConfigSchema),
  fidelity: optional(
    'What is less exact because of the size of the channel; absent when nothing is.',
    Type.Object({
      reads: optional('`counts` where marks of members are replaced by counts.', Type.Literal('counts')),
    }),
  ),
});
export interface Channel extends Static<typeof channel>, CustomChannel {}
export const ChannelSchema = record<Channel>('Channel', channel);

const channelInput = open({
  name: optional('The name to show.', Name),
  image: optional("The URL of the channel's picture.", Url),
  frozen: optional('Whether to refuse new messages, reactions and votes.', Type.Boolean()),
  cooldown: optional(
    'How many seconds a member waits between two messages.',
    Type.Integer({ minimum: 0, maximum: limits.cooldownMaxSeconds }),
  ),
  disabled: optional('Whether to disable the channel.', Type.Boolean()),
  members: optional(
    'The members of a new channel.',
    Type.Array(MemberInputSchema, { maxItems: limits.membersPerCall }),
  ),
  created_by_id: optional('The user who creates the channel; only a server may set it.', Id),
});
/** The fields of a channel that a caller may set. */
export interface ChannelInput extends Static<typeof channelInput>, Partial<CustomChannel> {}
export const ChannelInputSchema = record<ChannelInput>('ChannelInput', channelInput);

const channelState = Type.Object({
  channel: doc('The channel.', ChannelSchema),
  members: doc('The first members.', Type.Array(MemberSchema)),
  messages: doc('The requested messages, oldest first.', Type.Array(MessageSchema)),
  read: doc('How far members have read.', Type.Array(ReadStateSchema)),
  read_counts: optional(
    'How many members have read up to a number, where marks are counts.',
    ReadCountsSchema,
  ),
  watchers: optional('Users who watch the channel.', Type.Array(UserSchema)),
  watcher_count: doc('The number of users who watch the channel.', Type.Integer()),
  pinned_messages: doc('The pinned messages.', Type.Array(MessageSchema)),
  pending_messages: optional('Messages of the caller that wait to be committed.', Type.Array(MessageSchema)),
  membership: optional('The membership of the caller.', MemberSchema),
  draft: optional('The draft of the caller in the channel.', DraftSchema),
  seq: doc("The position in the channel's log that the state reflects.", Type.Integer()),
  log_id: doc(
    'The id of the log: a different one means that the channel was created anew and cached state is of another.',
    Type.String(),
  ),
  seq_at: optional('When the event of `seq` was written; absent where the log no longer has it.', Time),
  last_number: doc('How many messages count as unread for a member who has read nothing.', Type.Integer()),
});
/** A channel with its members, messages and marks. */
export interface ChannelStateReply extends Static<typeof channelState> {}
export const ChannelStateSchema = record<ChannelStateReply>('ChannelState', channelState);

const channelReply = Type.Object({
  channel: doc('The channel after the call.', ChannelSchema),
  seq: ReplySeq,
});
const MembersInput = Type.Array(MemberInputSchema, { minItems: 1, maxItems: limits.membersPerCall });
const MemberIds = Type.Array(Id, { minItems: 1, maxItems: limits.membersPerCall });
const Count = Type.Integer({ minimum: 0, maximum: limits.pageMax });
const subscription = {
  watch: optional('Whether to subscribe the connection to events of the channels.', Type.Boolean()),
  state: optional(
    'Whether to reply with members, messages and marks; false for the channel alone.',
    Type.Boolean(),
  ),
  presence: optional('Whether to be notified when members go online and offline.', Type.Boolean()),
};
const stateBody = {
  data: optional('The fields of the channel, if it is created.', ChannelInputSchema),
  ...subscription,
  messages: optional('Which messages to reply with.', MessageWindowSchema),
  members: optional(
    'Which members to reply with.',
    closed({ limit: optional('The maximum number of members.', Count) }),
  ),
};

export const channelsCalls = {
  'POST /channels': call({
    side: 'CS',
    limit: 'read',
    summary: 'Query channels with their state; `watch` subscribes the connection',
    body: closed({
      ...queryProperties,
      ...subscription,
      message_limit: optional('The maximum number of messages of each channel.', Count),
      member_limit: optional('The maximum number of members of each channel.', Count),
    }),
    reply: Type.Object({
      channels: doc('The channels found, with their state.', Type.Array(ChannelStateSchema)),
      next: Next,
    }),
  }),
  'POST /channels/{type}/query': call({
    side: 'CS',
    limit: 'read',
    summary: 'The one channel of exactly `data.members`, made if there is none',
    status: 201,
    body: closed({ ...stateBody }),
    reply: ChannelStateSchema,
  }),
  'POST /channels/{type}/{id}/query': call({
    side: 'CS',
    limit: 'read',
    summary: 'Get a channel with its state, or make it',
    status: 201,
    body: closed({ ...stateBody }),
    reply: ChannelStateSchema,
  }),
  'POST /channels/{type}/{id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Replace channel data, change membership, optionally with a message',
    body: closed({
      data: optional('The fields that replace those of the channel.', ChannelInputSchema),
      add_members: optional('The members to add.', MembersInput),
      remove_members: optional('The ids of the members to remove.', MemberIds),
      add_moderators: optional('The ids of the members to make moderators.', MemberIds),
      demote_moderators: optional('The ids of the moderators to make members.', MemberIds),
      invites: optional('The users to invite.', MembersInput),
      accept_invite: optional('Whether to accept the invitation of the caller.', Type.Boolean()),
      reject_invite: optional('Whether to reject the invitation of the caller.', Type.Boolean()),
      message: optional('A message to send with the change.', MessageInputSchema),
    }),
    reply: Type.Object({
      channel: doc('The channel after the change.', ChannelSchema),
      members: doc('The members after the change.', Type.Array(MemberSchema)),
      message: optional('The message that was sent with the change.', MessageSchema),
      seq: ReplySeq,
    }),
  }),
  'PATCH /channels/{type}/{id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Partly update channel data',
    body: closed({ ...patchProperties }),
    reply: channelReply,
  }),
  'DELETE /channels/{type}/{id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Delete a channel; `hard_delete=true` removes it and its messages for good',
    query: closed({
      hard_delete: optional(
        'Whether to remove the channel and its messages for good.',
        Type.Enum(['true', 'false']),
      ),
    }),
    reply: channelReply,
  }),
  'POST /channels/delete': call({
    side: 'CS',
    limit: 'write',
    summary: 'Delete many channels as a task, whose result says which were gone; for good only by the server',
    status: 202,
    body: closed({
      cids: doc('The channels to delete.', Type.Array(Cid, { minItems: 1, maxItems: limits.cidsPerCall })),
      hard_delete: optional('Whether to remove the channels and their messages for good.', Type.Boolean()),
    }),
    reply: Type.Object({ task_id: doc('The task that deletes the channels.', Id) }),
  }),
  'POST /channels/{type}/{id}/truncate': call({
    side: 'CS',
    limit: 'write',
    summary: 'Drop all messages so far',
    body: closed({ message: optional('A message to send after the removal.', MessageInputSchema) }),
    reply: Type.Object({
      channel: doc('The channel after the removal.', ChannelSchema),
      message: optional('The message that was sent after the removal.', MessageSchema),
      task_id: optional('The task that removes more than 1 000 messages; nobody sees them any more.', Id),
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

const channelEvent = Type.Object({ channel: doc('The channel.', ChannelSchema) });
const memberEvent = Type.Object({
  channel: doc('The channel.', ChannelSchema),
  member: doc('The member that the event is about.', MemberSchema),
});

export const channelsEvents = {
  'channel.updated': Type.Object({
    channel: doc('The channel as it is now.', ChannelSchema),
    message: optional('The message that was sent with the change.', MessageSchema),
  }),
  'channel.deleted': channelEvent,
  'channel.truncated': Type.Object({
    channel: doc('The channel as it is now.', ChannelSchema),
    last_number: doc('The last number at that moment: everyone has read up to it.', Type.Integer()),
  }),
  'notification.added_to_channel': memberEvent,
  'notification.removed_from_channel': memberEvent,
  'notification.invited': memberEvent,
  'notification.invite_accepted': memberEvent,
  'notification.invite_rejected': memberEvent,
  /** The event goes to one connection: it no longer gets the channel's events, as it may no longer read the channel. */
  'notification.channel_unwatched': Type.Object({}),
  'notification.channel_deleted': channelEvent,
  'notification.channel_truncated': channelEvent,
};
