/** Ids sort by byte: the cursor's comparison and the index then agree whatever the database's locale. */
export const firstConversation = {
  name: '001-first-conversation',
  sql: `
create extension if not exists pg_trgm;

create table apps (
  id integer primary key default 1 check (id = 1),
  name text not null,
  revoke_tokens_issued_before timestamptz(3),
  suspended boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table users (
  id text collate "C" primary key,
  name text,
  image text,
  role text not null,
  data jsonb not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  last_active timestamptz(3),
  banned boolean not null default false,
  deactivated_at timestamptz(3),
  deleted_at timestamptz(3),
  revoke_tokens_issued_before timestamptz(3)
);
create index users_name on users using gin (name gin_trgm_ops);
create index users_data on users using gin (data jsonb_path_ops);

create table roles (
  name text primary key,
  custom boolean not null,
  created_at timestamptz(3) not null default now()
);

create table channel_types (
  name text collate "C" primary key,
  config jsonb not null,
  permissions jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table channels (
  cid text collate "C" primary key,
  type text collate "C" not null references channel_types (name),
  id text collate "C" not null,
  name text,
  image text,
  data jsonb not null default '{}',
  created_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  last_message_at timestamptz(3),
  truncated_at timestamptz(3),
  frozen boolean not null default false,
  disabled boolean not null default false,
  cooldown integer not null default 0,
  distinct_key text collate "C" unique,
  member_count integer not null default 0,
  seq bigint not null default 0,
  last_number bigint not null default 0
) with (fillfactor = 70);
create index channels_data on channels using gin (data jsonb_path_ops);

create table members (
  cid text collate "C" not null references channels (cid) on delete cascade,
  user_id text collate "C" not null references users (id),
  channel_role text not null,
  invited boolean not null default false,
  invite_accepted_at timestamptz(3),
  invite_rejected_at timestamptz(3),
  banned boolean not null default false,
  data jsonb not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  read_number bigint not null default 0,
  unread_from bigint,
  last_read timestamptz(3),
  last_read_message_id text collate "C",
  delivered_number bigint not null default 0,
  last_delivered_at timestamptz(3),
  last_delivered_message_id text collate "C",
  primary key (cid, user_id)
) with (fillfactor = 70);
create index members_user on members (user_id, cid);

create table messages (
  id text collate "C" primary key,
  cid text collate "C" not null,
  user_id text collate "C" not null,
  text text not null,
  type text not null,
  attachments jsonb not null default '[]',
  mentioned jsonb not null default '[]',
  parent_id text collate "C",
  show_in_channel boolean not null default false,
  quoted_message_id text collate "C",
  silent boolean not null default false,
  data jsonb not null default '{}',
  number bigint not null,
  seq bigint not null,
  reply_count integer not null default 0,
  participants jsonb not null default '[]',
  reaction_groups jsonb not null default '{}',
  pinned_at timestamptz(3),
  pinned_by text collate "C",
  pin_expires timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  message_text_updated_at timestamptz(3),
  deleted_at timestamptz(3)
);
create index messages_timeline on messages (cid, created_at, seq) where parent_id is null or show_in_channel;
create index messages_replies on messages (parent_id, created_at, seq) where parent_id is not null;
create index messages_pinned on messages (cid, pinned_at) where pinned_at is not null;

create table reactions (
  message_id text collate "C" not null references messages (id) on delete cascade,
  user_id text collate "C" not null,
  type text collate "C" not null,
  score integer not null,
  data jsonb not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (message_id, user_id, type)
);

create table events (
  cid text collate "C" not null,
  seq bigint not null,
  created_at timestamptz(3) not null,
  payload text not null,
  primary key (cid, seq)
);
create index events_age on events using brin (created_at);
`,
};
