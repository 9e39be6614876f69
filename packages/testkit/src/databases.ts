import { rm } from 'node:fs/promises';
import { createPools, migrate, startEmbeddedPostgres } from '@parley/server';
import pg from 'pg';
import { makeDatabaseFolder } from './memory-folder.ts';

/** Both stand in pg's documentation and are missing from its types. */
declare module 'pg' {
  interface ClientBase {
    ref(): void;
    unref(): void;
  }
}

const template = 'parley_template';

const databaseUrl = (adminUrl: string, name: string): string => {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
};

const run = async (adminUrl: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: adminUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

/** A PostgreSQL for tests, with a migrated database to copy from. Not flushed to disk: it ends with the tests. */
export const startTestPostgres = async (): Promise<{ adminUrl: string; stop(): Promise<void> }> => {
  const dataDir = makeDatabaseFolder('parley-test-');
  const postgres = await startEmbeddedPostgres({
    dataDir,
    settings: {
      autovacuum: 'off',
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '400',
      // Without it the log alone may grow to a gigabyte of memory.
      max_wal_size: '256MB',
    },
  });
  await run(postgres.url, `create database ${template}`);
  const pools = createPools(databaseUrl(postgres.url, template), () => undefined);
  await migrate(pools.pool);
  await pools.end();
  // A connection that lingers would make the first copy wait for it.
  await run(postgres.url, `alter database ${template} with allow_connections false`);
  await run(
    postgres.url,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}'`,
  );
  return {
    adminUrl: postgres.url,
    stop: async () => {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

let ownPostgres: Promise<{ adminUrl: string }> | undefined;

/** The shared one of the test run, or one that this process starts for itself. */
const findAdminUrl = async (): Promise<string> => {
  const shared = process.env.PARLEY_TEST_PG;
  if (shared) return shared;
  ownPostgres ??= startTestPostgres().then((postgres) => {
    process.once('beforeExit', () => void postgres.stop());
    return postgres;
  });
  return (await ownPostgres).adminUrl;
};

/** One connection of this process for all its databases: opening one takes as long as copying the template. */
let admin: Promise<pg.Client> | undefined;
let underWay = 0;
const connectAdmin = async (adminUrl: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: adminUrl });
  client.on('error', () => {
    admin = undefined;
  });
  await client.connect();
  // The process may end while nothing is under way.
  client.unref();
  return client;
};

const runAsAdmin = async (statement: string): Promise<void> => {
  admin ??= findAdminUrl()
    .then(connectAdmin)
    .catch((error: unknown) => {
      admin = undefined;
      throw error;
    });
  const client = await admin;
  underWay++;
  client.ref();
  try {
    await client.query(statement);
  } finally {
    if (--underWay === 0) client.unref();
  }
};

/** An empty database of its own, dropped by `drop`. */
export const createTestDatabase = async (): Promise<{ url: string; drop(): Promise<void> }> => {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  // Copying a template fails while another copy is being made: then it is worth another try.
  for (let tries = 0; ; tries++) {
    try {
      // The template is copied as files: pages copied through the log cost twice the processor time, and nothing here outlives a crash.
      await runAsAdmin(`create database ${name} template ${template} strategy file_copy`);
      break;
    } catch (error) {
      const isBusy = error instanceof Error && 'code' in error && error.code === '55006';
      if (tries >= 50 || !isBusy) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 80));
    }
  }
  return {
    url: databaseUrl(await findAdminUrl(), name),
    drop: () => runAsAdmin(`drop database if exists ${name} with (force)`),
  };
};
