import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@parley/testkit';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type ServerProcess, startProcess } from './server-process.ts';

const stop = async (server: ServerProcess): Promise<void> => {
  server.signal('SIGTERM');
  await server.exited;
};

/** Servers as processes of their own on one database. Those that a test leaves running serve the next one. */
export const createServerGroup = (given: Record<string, string> = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-group-'));
  const running = new Set<ServerProcess>();
  let idle: ServerProcess[] = [];
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url, max: 2 });
    // Dropping the database ends the connections that are left.
    pool.on('error', () => undefined);
  });
  beforeEach(() => {
    idle = [...running];
  });
  afterAll(async () => {
    await Promise.all([...running].map(stop));
    await pool.end();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = async (): Promise<ServerProcess> => {
    const env = { DATABASE_URL: database.url, PARLEY_DATA: join(folder, 'data'), ...given };
    const server = await startProcess(env, folder);
    running.add(server);
    return server;
  };

  return {
    start,
    /** The server has ended. */
    forget: (server: ServerProcess): void => {
      running.delete(server);
    },
    /** A server that this test has not taken yet: one of an earlier test, or a new one. */
    take: async (): Promise<ServerProcess> => idle.shift() ?? start(),
    /** Stops the servers that this test has not taken. */
    stopIdle: async (): Promise<void> => {
      for (const server of idle) running.delete(server);
      await Promise.all(idle.splice(0).map(stop));
    },
    kill: async (server: ServerProcess): Promise<void> => {
      server.signal('SIGKILL');
      await server.exited;
      running.delete(server);
    },
    query: (text: string, values?: unknown[]) => pool.query(text, values),
  };
};
