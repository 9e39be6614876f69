import type { ColumnType, Generated } from 'kysely';
import type { BusEvent } from '../bus/bus.ts';

/** Written by the database alone. */
type Made<T> = ColumnType<T, never, never>;

/** The servers that are alive; `beat_at` is the time of the last sign of life, by the clock of the database. */
export type ServersTable = {
  id: string;
  started_at: Made<string>;
  beat_at: ColumnType<string, never, string>;
};

/** How many connections watch a channel, by server. */
export type WatcherCountsTable = { cid: string; server_id: string; watchers: number };

/** Cache entries that a transaction made stale. */
export type StaleEntriesTable = {
  id: Made<number>;
  xid: Made<string>;
  server_id: string;
  what: Extract<BusEvent, { kind: 'stale' }>['what'];
  key: string;
  user_id: string | null;
  created_at: Made<string>;
};

/** Texts between servers that are too long for the bus. */
export type BusTextsTable = { id: Made<number>; text: string; created_at: Made<string> };

/** The calls that servers may let through for a caller in the minute from `started_at`. `unused` says how many of those that each
 * server was granted it may have left. */
export type CallBudgetsTable = {
  key: string;
  started_at: Made<string>;
  spent: Generated<number>;
  unused: Generated<Record<string, number>>;
};

/** How many connections of a user or an address are open, by server. */
export type ConnectionCountsTable = { key: string; server_id: string; connections: number };

export type ClusterTables = {
  deployment: { id: Generated<string>; primary_run: string | null };
  servers: ServersTable;
  watcher_counts: WatcherCountsTable;
  stale_entries: StaleEntriesTable;
  bus_texts: BusTextsTable;
  call_budgets: CallBudgetsTable;
  connection_counts: ConnectionCountsTable;
};
