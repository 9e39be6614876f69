import type { ColumnType, Generated } from 'kysely';

/** Times are RFC 3339 strings, as in `schema.ts`. */
export type TasksTable = {
  id: string;
  kind: string;
  status: ColumnType<
    'waiting' | 'running' | 'completed' | 'failed',
    'waiting' | undefined,
    'waiting' | 'running' | 'completed' | 'failed'
  >;
  input: ColumnType<Record<string, unknown>, string, string>;
  result: ColumnType<Record<string, unknown> | null, string | undefined, string>;
  error: string | null;
  progress: Generated<number>;
  /** How often it was claimed; a server with another number has lost it. */
  attempts: Generated<number>;
  /** How often it was claimed again since it last made progress. */
  failures: Generated<number>;
  /** Where it stands; null before the first step. */
  state: ColumnType<Record<string, unknown> | null, string | undefined, string>;
  /** The user who began it; null for the server. */
  user_id: string | null;
  leased_until: string | null;
  created_at: string;
  updated_at: string;
};
