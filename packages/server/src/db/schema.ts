import type {
  Attachment,
  ChannelConfig,
  Message,
  MessageInput,
  PermissionRule,
  PollOption,
  ReactionGroup,
} from '@parley/protocol';
import type { ColumnType, Generated, Kysely, Selectable } from 'kysely';
import type { ClusterTables } from './cluster-tables.ts';
import type { FileLinksTable, FilesTable } from './file-tables.ts';
import type { SharedLocationsTable } from './locations-table.ts';
import type { TasksTable } from './tasks-table.ts';

/** Times come out as RFC 3339 strings with milliseconds and go in as the same (see pool.ts). */
type Time = string;
/** jsonb: an object out, JSON text in, so that arrays are not taken for PostgreSQL arrays. */
type Json<T> = ColumnType<T, string, string>;
/** The same with a default. */
type JsonDefault<T> = ColumnType<T, string | undefined, string>;
type Custom = Json<Record<string, unknown>>;

export type AppsTable = {
  id: Generated<number>;
  name: string;
  revoke_tokens_issued_before: Time | null;
  suspended: Generated<boolean>;
  guests_enabled: Generated<boolean>;
  anonymous_enabled: Generated<boolean>;
  /** Null: the default rules. */
  permissions: ColumnType<PermissionRule[] | null, string | null | undefined, string | null>;
  created_at: Generated<Time>;
  updated_at: Generated<Time>;
};

export type UsersTable = {
  id: string;
  name: string | null;
  image: string | null;
  role: string;
  data: Custom;
  created_at: Time;
  updated_at: Time;
  last_active: Time | null;
  banned: Generated<boolean>;
  deactivated_at: Time | null;
  deleted_at: Time | null;
  revoke_tokens_issued_before: Time | null;
  /** Whether they ever had a reminder: who has none is not asked about with every page of messages. */
  has_reminders: Generated<boolean>;
};

export type RolesTable = { name: string; custom: boolean; created_at: Generated<Time> };

export type ChannelTypesTable = {
  name: string;
  config: Json<ChannelConfig>;
  permissions: Json<PermissionRule[]>;
  created_at: Generated<Time>;
  updated_at: Generated<Time>;
};

export type ChannelsTable = {
  cid: string;
  type: string;
  id: string;
  name: string | null;
  image: string | null;
  data: Custom;
  created_by: string | null;
  created_at: Time;
  updated_at: Time;
  deleted_at: Time | null;
  last_message_at: Time | null;
  truncated_at: Time | null;
  frozen: Generated<boolean>;
  disabled: Generated<boolean>;
  cooldown: Generated<number>;
  /** Names the one channel of exactly its people; null for all other channels. */
  distinct_key: string | null;
  /** The people of a direct conversation, in it or not: nobody else can be added. */
  distinct_members: string[] | null;
  member_count: Generated<number>;
  /** The number of the last event in the channel's log. */
  seq: Generated<number>;
  /** How many messages count as unread for someone who has read nothing. */
  last_number: Generated<number>;
  /** The id of the channel's log: a channel that is created again with the same cid has another. */
  log_id: Generated<string>;
  /** The log begins after this number; a truncate moves it. */
  log_floor: Generated<number>;
  /** Messages up to this number were truncated; those that are still there are being removed. */
  emptied_seq: Generated<number>;
};

export type MembersTable = {
  cid: string;
  user_id: string;
  channel_role: string;
  invited: Generated<boolean>;
  /** Null for those who were not invited, and for invitations from before it was stored. */
  invited_by: string | null;
  invite_accepted_at: Time | null;
  invite_rejected_at: Time | null;
  banned: Generated<boolean>;
  data: JsonDefault<Record<string, unknown>>;
  created_at: Time;
  updated_at: Time;
  read_number: Generated<number>;
  /** Set by mark-unread: where the member's own count starts; others see read_number. */
  unread_from: number | null;
  last_read: Time | null;
  last_read_message_id: string | null;
  /** Grows with every change of the own mark, in the order of the channel's log. */
  read_version: Generated<number>;
  delivered_number: Generated<number>;
  last_delivered_at: Time | null;
  last_delivered_message_id: string | null;
  pinned_at: Time | null;
  archived_at: Time | null;
  /** The channel's last number when the member hid it: the next message shows it again. */
  hidden_number: number | null;
  /** The member sees nothing older. */
  cleared_at: Time | null;
  /** The number of the last event when the member cleared their history. */
  cleared_seq: Generated<number>;
  /** Grows with every change of what is the member's own: pinned, archived, hidden. */
  own_version: Generated<number>;
  muted_at: Time | null;
  /** Null: until they unmute it. */
  muted_until: Time | null;
};

export type MessageMarks = {
  mentioned_roles?: string[];
  mentioned_here?: true;
  mentioned_channel?: true;
  command?: string;
  args?: string;
};

export type MessagesTable = {
  id: string;
  cid: string;
  user_id: string;
  text: string;
  type: Message['type'];
  attachments: Json<Attachment[]>;
  mentioned: Json<string[]>;
  /** Rare fields: mentions besides users, and the command that the message came from. */
  marks: ColumnType<MessageMarks | null, string | null | undefined, string | null>;
  parent_id: string | null;
  show_in_channel: Generated<boolean>;
  quoted_message_id: string | null;
  /** Stays when the poll is deleted. */
  poll_id: string | null;
  has_location: Generated<boolean>;
  silent: Generated<boolean>;
  data: Custom;
  number: number;
  seq: number;
  reply_count: Generated<number>;
  participants: JsonDefault<string[]>;
  reaction_groups: JsonDefault<Record<string, ReactionGroup>>;
  pinned_at: Time | null;
  pinned_by: string | null;
  pin_expires: Time | null;
  created_at: Time;
  updated_at: Time;
  message_text_updated_at: Time | null;
  deleted_at: Time | null;
  deleted_by_other: Generated<boolean>;
};

/** The text of a message before an edit. */
export type MessageHistoryTable = {
  id: Generated<number>;
  message_id: string;
  text: string;
  attachments: Json<Attachment[]>;
  data: Custom;
  /** The user who replaced it, and when. */
  updated_by: string | null;
  updated_at: Time;
};

/** Pending messages have a table of their own: no list, search or count of messages can meet them. */
export type PendingMessagesTable = {
  id: string;
  cid: string;
  user_id: string;
  /** The message as the author sent it. */
  input: Json<MessageInput>;
  /** The row as its author sees it until the commit. */
  draft: Json<Selectable<MessagesTable>>;
  created_at: Time;
};

export type ReactionsTable = {
  message_id: string;
  user_id: string;
  type: string;
  score: number;
  data: Custom;
  created_at: Time;
  updated_at: Time;
};

export type PollsTable = {
  id: string;
  created_by: string;
  /** Where it was sent; null until then. */
  cid: string | null;
  message_id: string | null;
  name: string;
  description: string;
  options: Json<PollOption[]>;
  voting_visibility: 'public' | 'anonymous';
  enforce_unique_vote: boolean;
  max_votes_allowed: number | null;
  allow_user_suggested_options: boolean;
  allow_answers: boolean;
  is_closed: boolean;
  end_at: Time | null;
  data: Custom;
  /** Derived from the votes that stand, under the lock of this row. */
  vote_counts: JsonDefault<Record<string, number>>;
  answers_count: Generated<number>;
  version: Generated<number>;
  /** When an event with its votes was published last. */
  published_at: Time | null;
  created_at: Time;
  updated_at: Time;
};

export type PollVotesTable = {
  id: string;
  poll_id: string;
  user_id: string;
  /** Null for an answer in words. */
  option_id: string | null;
  answer_text: string | null;
  created_at: Time;
  updated_at: Time;
};

export type CommandsTable = {
  name: string;
  description: string;
  args: string;
  set: string;
  created_at: Time;
  updated_at: Time;
};

export type EventsTable = {
  cid: string;
  seq: number;
  created_at: Time;
  /** The event without what people said: `gateway/log-reader.ts` puts in what stands now. */
  payload: string;
};

export type ThreadsTable = {
  parent_id: string;
  cid: string;
  title: string | null;
  data: JsonDefault<Record<string, unknown>>;
  last_number: Generated<number>;
  last_reply_at: Time;
  created_at: Time;
  updated_at: Time;
};

/** The followers of a thread, and how far they have read it. */
export type ThreadReadsTable = {
  parent_id: string;
  user_id: string;
  read_number: Generated<number>;
  last_read: Time | null;
  version: Generated<number>;
};

export type DraftsTable = {
  user_id: string;
  cid: string;
  /** Empty for the draft of the channel itself. */
  parent_id: string;
  text: string;
  attachments: Json<Attachment[]>;
  mentioned: Json<string[]>;
  quoted_message_id: string | null;
  data: Custom;
  version: number;
  created_at: Time;
  updated_at: Time;
};

/** `notified_at` is set in the transaction that notifies the owner: once. */
export type RemindersTable = {
  id: Generated<number>;
  user_id: string;
  message_id: string;
  cid: string;
  remind_at: Time | null;
  note: string | null;
  notified_at: Time | null;
  created_at: Time;
  updated_at: Time;
};

export type ScheduledMessagesTable = {
  /** The id of the message that it will be. */
  id: string;
  user_id: string;
  cid: string;
  input: Json<MessageInput>;
  send_at: Time;
  status: ColumnType<'waiting' | 'failed', 'waiting' | undefined, 'waiting' | 'failed'>;
  error: string | null;
  attempts: Generated<number>;
  /** Until then one server is sending it, or it waits for another try. */
  leased_until: Time | null;
  created_at: Time;
  updated_at: Time;
};

export type Database = ClusterTables & {
  apps: AppsTable;
  users: UsersTable;
  roles: RolesTable;
  channel_types: ChannelTypesTable;
  channels: ChannelsTable;
  members: MembersTable;
  messages: MessagesTable;
  /** md5 of the ids of messages that were deleted for good; written by a trigger. */
  gone_message_ids: { hash: string };
  message_history: MessageHistoryTable;
  pending_messages: PendingMessagesTable;
  reactions: ReactionsTable;
  polls: PollsTable;
  poll_votes: PollVotesTable;
  /** Unpublished polls: those with votes that are not in the log yet. Why it keeps this name: docs/decisions.md. */
  poll_untold: { poll_id: string };
  shared_locations: SharedLocationsTable;
  events: EventsTable;
  /** Written while a channel is slow: deleting the own message must not end the wait. */
  send_times: { cid: string; user_id: string; sent_at: Time };
  tasks: TasksTable;
  commands: CommandsTable;
  threads: ThreadsTable;
  thread_reads: ThreadReadsTable;
  drafts: DraftsTable;
  reminders: RemindersTable;
  scheduled_messages: ScheduledMessagesTable;
  files: FilesTable;
  file_links: FileLinksTable;
};

/** Where a function reads or writes: the pool, or the transaction that it is part of. */
export type Db = Kysely<Database>;
