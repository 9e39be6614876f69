/** Earlier versions of messages, messages that wait for their commit, and when pins end. */
export const messageHistory = {
  name: '002-message-history',
  sql: `
create table message_history (
  id bigint generated always as identity primary key,
  message_id text collate "C" not null references messages (id) on delete cascade,
  text text not null,
  attachments jsonb not null default '[]',
  data jsonb not null default '{}',
  updated_by text collate "C",
  updated_at timestamptz(3) not null
);
create index message_history_message on message_history (message_id, updated_at, id);

create table pending_messages (
  id text collate "C" primary key,
  cid text collate "C" not null references channels (cid) on delete cascade,
  user_id text collate "C" not null,
  input jsonb not null,
  draft jsonb not null,
  created_at timestamptz(3) not null
);
create index pending_messages_author on pending_messages (user_id, cid, created_at);

create index messages_pin_end on messages (pin_expires) where pin_expires is not null;
`,
};
