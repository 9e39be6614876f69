/**
 * Several servers on one database: who is alive, how many watch a channel on each, which cache entries became stale, and texts that
 * are too long for the bus. Except for the stale entries nothing of it outlives the servers, so no flush is waited for.
 */
export const servers = {
  name: '045-servers',
  sql: `
create table deployment (id uuid primary key default gen_random_uuid());
insert into deployment default values;

create unlogged table servers (
  id uuid primary key,
  started_at timestamptz not null default now(),
  beat_at timestamptz not null default now()
);

create unlogged table watcher_counts (
  cid text collate "C" not null,
  server_id uuid not null,
  watchers integer not null,
  primary key (cid, server_id)
);
create index watcher_counts_server on watcher_counts (server_id);

create table stale_entries (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  server_id uuid not null,
  what text not null,
  key text not null,
  user_id text,
  created_at timestamptz not null default now()
);
create index stale_entries_xid on stale_entries (xid);

create unlogged table bus_texts (
  id bigint generated always as identity primary key,
  text text not null,
  created_at timestamptz not null default now()
);
`,
};
