import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Bench } from './bench.ts';

/** Runs with a database of its own beside that of the other measurements. */
export const withDatabase = async <T>(
  { databaseUrl }: Pick<Bench, 'databaseUrl'>,
  name: string,
  run: (databaseUrl: string) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  try {
    return await run(url.href);
  } finally {
    await client.query(`drop database ${name} with (force)`);
    await client.end();
  }
};

/** Waits until the messages that were sent are in the index of words, at most a minute. */
export const untilIndexed = async (databaseUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const end = performance.now() + 60_000;
  while (performance.now() < end) {
    const { rows } = await client.query('select from search_queue limit 1');
    if (rows.length === 0) break;
    await sleep(200);
  }
  await client.end();
};
