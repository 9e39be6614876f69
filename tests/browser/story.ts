import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import pg from 'pg';
import { feed } from './people.ts';

export type Story = {
  id: string;
  name: string;
  count: number;
  /** How far each of its members has read. */
  readUpTo: Record<string, number>;
  /** Statements for what is special in it. */
  besides?: string[];
};

/** The database of the product that runs on a folder. The server's package knows it too, but to load that takes seconds. */
const addressOf = (dataDir: string): pg.ClientConfig => {
  const [, , , port, socketDir] = readFileSync(join(dataDir, 'pg', 'postmaster.pid'), 'utf8').split('\n');
  const config = { user: 'postgres', database: 'parley', port: Number(port) };
  if (socketDir) return { ...config, host: socketDir };
  return {
    ...config,
    host: '127.0.0.1',
    password: readFileSync(join(dataDir, 'pg.password'), 'utf8').trim(),
  };
};

/** A channel as if all its messages had been sent, a minute apart: sending them would take minutes. */
export const seedStory = async ({ id, name, count, readUpTo, besides = [] }: Story): Promise<void> => {
  const client = new pg.Client(addressOf(process.env.PARLEY_BROWSER_DATA ?? ''));
  await client.connect();
  const cid = `team:${id}`;
  // A worker that takes over after a failure plays it again.
  await client.query(`delete from messages where cid = '${cid}'`);
  await client.query(`delete from channels where cid = '${cid}'`);
  const members = Object.entries(readUpTo);
  const saidAt = `now() - (${count} - n) * interval '1 minute' - interval '1 minute'`;
  await client.query(
    `insert into channels (cid, type, id, name, created_by, created_at, updated_at, last_message_at, member_count, seq, last_number)
     values ('${cid}', 'team', '${id}', $1, 'ana', now() - interval '80 days', now(), now() - interval '1 minute', ${members.length}, ${count}, ${count})`,
    [name],
  );
  // Nobody searches in a long one: indexing it would be measured with it.
  if (count > 1000) await client.query('set session_replication_role = replica');
  for (const [userId, number] of members)
    await client.query(
      `insert into members (cid, user_id, channel_role, created_at, updated_at, read_number, last_read, last_read_message_id)
       values ('${cid}', $1, 'owner', now(), now(), $2, now(), $3)`,
      [userId, number, `${id}-${number}`],
    );
  await client.query(
    `insert into messages (id, cid, user_id, text, type, number, seq, created_at, updated_at)
     select '${id}-' || n, '${cid}', case when n % 7 < 4 then 'ana' else 'bo' end, 'Part ' || n || repeat(' and so on', (n % 9)::int),
       'regular', n, n, at, at
     from generate_series(1, ${count}) n, lateral (select ${saidAt} as at) t`,
  );
  for (const statement of besides) await client.query(statement);
  if (count > 1000) await client.query('analyze messages');
  await client.end();
};

export const part = (page: Page, id: string, number: number): Locator =>
  feed(page).locator(`[data-key="${id}-${number}"] article`);

/** Goes to an address within the app, as a link does. */
export const go = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
