import { type Static, Type } from 'typebox';
import type { CallBody, CallQuery, CallReply, CallSpec, PathParam } from './call.ts';
import { appsCalls } from './features/apps.ts';
import { attachmentsCalls } from './features/attachments.ts';
import { channelPreferencesCalls, channelPreferencesEvents } from './features/channel-preferences.ts';
import { channelTypesCalls } from './features/channel-types.ts';
import { channelsCalls, channelsEvents } from './features/channels.ts';
import { commandsCalls } from './features/commands.ts';
import { connectionCalls, connectionEvents } from './features/connection.ts';
import { draftsCalls, draftsEvents } from './features/drafts.ts';
import { linkPreviewsCalls } from './features/link-previews.ts';
import { locationsCalls, locationsEvents } from './features/locations.ts';
import { membersCalls, membersEvents } from './features/members.ts';
import { messagesCalls, messagesEvents } from './features/messages.ts';
import { pollsCalls, pollsEvents } from './features/polls.ts';
import { presenceEvents } from './features/presence.ts';
import { reactionsCalls, reactionsEvents } from './features/reactions.ts';
import { readsCalls, readsEvents } from './features/reads.ts';
import { remindersCalls, remindersEvents } from './features/reminders.ts';
import { rolesCalls } from './features/roles.ts';
import { scheduledMessagesCalls, scheduledMessagesEvents } from './features/scheduled-messages.ts';
import { searchCalls } from './features/search.ts';
import { tasksCalls } from './features/tasks.ts';
import { threadsCalls, threadsEvents } from './features/threads.ts';
import { typingCalls, typingEvents } from './features/typing.ts';
import { usersCalls, usersEvents } from './features/users.ts';
import { doc, optional } from './record.ts';
import { Cid, Id, Time } from './schema.ts';

/** Calls by feature, in the order the reference shows them. */
export const callsByFeature: Record<string, Record<string, CallSpec>> = {
  connection: connectionCalls,
  users: usersCalls,
  channels: channelsCalls,
  'channel-preferences': channelPreferencesCalls,
  members: membersCalls,
  messages: messagesCalls,
  reactions: reactionsCalls,
  polls: pollsCalls,
  locations: locationsCalls,
  reads: readsCalls,
  attachments: attachmentsCalls,
  'link-previews': linkPreviewsCalls,
  commands: commandsCalls,
  threads: threadsCalls,
  drafts: draftsCalls,
  reminders: remindersCalls,
  'scheduled-messages': scheduledMessagesCalls,
  search: searchCalls,
  typing: typingCalls,
  roles: rolesCalls,
  'channel-types': channelTypesCalls,
  tasks: tasksCalls,
  apps: appsCalls,
};

/** Written out, because what the compiler infers of a spread is too long for a declaration file. */
export type Calls = typeof connectionCalls &
  typeof usersCalls &
  typeof channelsCalls &
  typeof channelPreferencesCalls &
  typeof membersCalls &
  typeof messagesCalls &
  typeof reactionsCalls &
  typeof pollsCalls &
  typeof locationsCalls &
  typeof readsCalls &
  typeof attachmentsCalls &
  typeof linkPreviewsCalls &
  typeof commandsCalls &
  typeof threadsCalls &
  typeof draftsCalls &
  typeof remindersCalls &
  typeof scheduledMessagesCalls &
  typeof searchCalls &
  typeof typingCalls &
  typeof rolesCalls &
  typeof channelTypesCalls &
  typeof tasksCalls &
  typeof appsCalls;

export const calls: Calls = {
  ...connectionCalls,
  ...usersCalls,
  ...channelsCalls,
  ...channelPreferencesCalls,
  ...membersCalls,
  ...messagesCalls,
  ...reactionsCalls,
  ...pollsCalls,
  ...locationsCalls,
  ...readsCalls,
  ...attachmentsCalls,
  ...linkPreviewsCalls,
  ...commandsCalls,
  ...threadsCalls,
  ...draftsCalls,
  ...remindersCalls,
  ...scheduledMessagesCalls,
  ...searchCalls,
  ...typingCalls,
  ...rolesCalls,
  ...channelTypesCalls,
  ...tasksCalls,
  ...appsCalls,
};

type EventSchemas = typeof connectionEvents &
  typeof usersEvents &
  typeof channelsEvents &
  typeof channelPreferencesEvents &
  typeof membersEvents &
  typeof messagesEvents &
  typeof reactionsEvents &
  typeof pollsEvents &
  typeof locationsEvents &
  typeof readsEvents &
  typeof threadsEvents &
  typeof draftsEvents &
  typeof remindersEvents &
  typeof scheduledMessagesEvents &
  typeof typingEvents &
  typeof presenceEvents;

export const eventSchemas: EventSchemas = {
  ...connectionEvents,
  ...usersEvents,
  ...channelsEvents,
  ...channelPreferencesEvents,
  ...membersEvents,
  ...messagesEvents,
  ...reactionsEvents,
  ...pollsEvents,
  ...locationsEvents,
  ...readsEvents,
  ...threadsEvents,
  ...draftsEvents,
  ...remindersEvents,
  ...scheduledMessagesEvents,
  ...typingEvents,
  ...presenceEvents,
};

export type CallKey = keyof Calls;
export type BodyOf<K extends CallKey> = CallBody<Calls[K]>;
export type QueryOf<K extends CallKey> = CallQuery<Calls[K]>;
/** The events inside a reply are of every type; the feature that declares the call comes before them and cannot name them. */
type WithEvents<R> = R extends { events: unknown[] } ? Omit<R, 'events'> & { events: ServerEvent[] } : R;
export type ReplyOf<K extends CallKey> = WithEvents<CallReply<Calls[K]>>;
export type ParamsOf<K extends CallKey> = { [P in PathParam<K>]: string };

export type EventType = keyof EventSchemas;
/** The fields that events have around their own. */
export const envelopeProperties = {
  created_at: doc('When the event happened.', Time),
  cid: optional('The channel of the event.', Cid),
  channel_type: optional('The type of the channel.', Id),
  channel_id: optional('The id of the channel.', Id),
  seq: optional("The position in the channel's log.", Type.Integer()),
};
const envelope = Type.Object(envelopeProperties);
export interface EventEnvelope extends Static<typeof envelope> {}
export type EventOf<T extends EventType> = T extends EventType
  ? { type: T } & EventEnvelope & Static<EventSchemas[T]>
  : never;
/** Any event that the server sends, as a union on `type`. */
export type ServerEvent = EventOf<EventType>;

/** The events of a channel's log: each carries `seq`, and the law of sync holds for each. */
export const logEventTypes = [
  'message.new',
  'message.updated',
  'message.deleted',
  'message.undeleted',
  'reaction.new',
  'reaction.updated',
  'reaction.deleted',
  'poll.updated',
  'poll.closed',
  'poll.deleted',
  'poll.vote_casted',
  'poll.vote_changed',
  'poll.vote_removed',
  'live_location_sharing.started',
  'live_location_sharing.updated',
  'live_location_sharing.stopped',
  'message.read',
  'message.delivered',
  'channel.updated',
  'channel.deleted',
  'channel.truncated',
  'member.added',
  'member.updated',
  'member.removed',
  'thread.updated',
] as const satisfies readonly EventType[];
export type LogEventType = (typeof logEventTypes)[number];
export type LogEvent = EventOf<LogEventType> & { cid: string; seq: number };
