/**
 * Limits that hold for all servers together: the calls of a caller in a minute, and the open connections of a user or an address.
 * Nothing of it outlives the servers, so no flush is waited for.
 */
export const sharedLimits = {
  name: '047-shared-limits',
  sql: `
create unlogged table call_budgets (
  key text collate "C" primary key,
  started_at timestamptz not null default now(),
  spent integer not null default 0,
  unused jsonb not null default '{}'
);

create unlogged table connection_counts (
  key text collate "C" not null,
  server_id uuid not null,
  connections integer not null,
  primary key (key, server_id)
);
create index connection_counts_server on connection_counts (server_id);
`,
};
