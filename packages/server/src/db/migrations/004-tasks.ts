/** Long work. A running task whose lease ran out has lost its server and is taken again. */
export const tasks = {
  name: '004-tasks',
  sql: `
create table tasks (
  id text collate "C" primary key,
  kind text not null,
  status text not null default 'waiting',
  input jsonb not null,
  result jsonb,
  error text,
  progress integer not null default 0,
  attempts integer not null default 0,
  user_id text collate "C",
  leased_until timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index tasks_open on tasks (created_at) where status in ('waiting', 'running');
`,
};
