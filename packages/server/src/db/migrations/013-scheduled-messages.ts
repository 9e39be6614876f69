/**
 * Messages to be sent later; their text outlives the channel. A lease that ran out is that of a server which died:
 * another one sends again, under the same id.
 */
export const scheduledMessages = {
  name: '013-scheduled-messages',
  sql: `
create table scheduled_messages (
  id text collate "C" primary key,
  user_id text collate "C" not null,
  cid text collate "C" not null,
  input jsonb not null,
  send_at timestamptz(3) not null,
  status text not null default 'waiting',
  error text,
  attempts integer not null default 0,
  leased_until timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index scheduled_messages_author on scheduled_messages (user_id, send_at);
create index scheduled_messages_waiting on scheduled_messages ((coalesce(leased_until, send_at))) where status = 'waiting';
`,
};
