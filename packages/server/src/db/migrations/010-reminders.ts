/** Reminders. Those that wait for their time are found by an index; `notified_at` says that the owner was notified, once. */
export const reminders = {
  name: '010-reminders',
  sql: `
create table reminders (
  id bigint generated always as identity primary key,
  user_id text collate "C" not null,
  message_id text collate "C" not null references messages (id) on delete cascade,
  cid text collate "C" not null,
  remind_at timestamptz(3),
  note text,
  notified_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (user_id, message_id)
);
create index reminders_message on reminders (message_id);
create index reminders_waiting on reminders (remind_at) where remind_at is not null and notified_at is null;

alter table users add column has_reminders boolean not null default false;
`,
};
