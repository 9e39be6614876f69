import { createPools, readConfig, startEmbeddedPostgres } from '@parley/server';

type Pool = ReturnType<typeof createPools>['pool'];

export type DemoReset = {
  /** Where the database is, without the password. */
  database: string;
  /** Where a server that still runs on this configuration would answer. */
  serverUrl: string;
};

/** The reason why nothing was reset. Its message is for the person at the terminal. */
class ResetRefused extends Error {}

const emptyDatabase = async (pool: Pool, place: string): Promise<void> => {
  const { rows } = await pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  const found = rows.map((row) => row.name);
  const ours = ['migrations', 'channels', 'messages'].every((name) => found.includes(name));
  if (found.length > 0 && !ours)
    throw new ResetRefused(`${place} holds tables that are not Parley's. Nothing was changed.`);
  // One text is one transaction. A server in the midst of a write holds locks: better to say so than to wait for ever.
  await pool.query(
    "set local statement_timeout = 0; set local lock_timeout = '10s'; drop schema if exists public cascade; create schema public",
  );
};

const emptyAt = async (url: string, place: string): Promise<void> => {
  // A server that is stopped right after still reports to the pool.
  const { pool, end } = createPools(url, () => {});
  try {
    await emptyDatabase(pool, place);
  } finally {
    await end();
  }
};

const withoutPassword = (url: string): string => {
  const shown = new URL(url);
  shown.password = '';
  shown.search = '';
  return shown.href;
};

/** Empties the database of a demo, so that the next start fills it anew. Key and secret stay. */
export const resetDemo = async (env: Record<string, string | undefined>): Promise<DemoReset> => {
  if (env.NODE_ENV === 'production')
    throw new ResetRefused('NODE_ENV is production: the demo is never reset there. Nothing was changed.');
  const config = readConfig(env);
  if (!config.demo)
    throw new ResetRefused('PARLEY_DEMO is off, so this is no demo to reset. Nothing was changed.');
  const serverUrl = `http://${config.host}:${config.port}`;
  if (config.databaseUrl !== undefined) {
    const database = withoutPassword(config.databaseUrl);
    await emptyAt(config.databaseUrl, database);
    return { database, serverUrl };
  }
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir });
  try {
    await emptyAt(postgres.url, config.dataDir);
  } finally {
    await postgres.stop();
  }
  return { database: config.dataDir, serverUrl };
};
