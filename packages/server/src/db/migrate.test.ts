import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { migrate } from './migrate.ts';

const name = `migrations_${crypto.randomUUID().replaceAll('-', '')}`;
let admin: pg.Client;
let pool: pg.Pool;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: process.env.PARLEY_TEST_PG ?? '' });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = new URL(process.env.PARLEY_TEST_PG ?? '');
  url.pathname = `/${name}`;
  pool = new pg.Pool({ connectionString: url.href });
  // end() does not wait for the sockets: dropping the database ends those that are left, and the pool reports it.
  pool.on('error', () => undefined);
  await migrate(pool);
});
afterAll(async () => {
  await pool.end();
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.end();
});

/** On a busy machine. */
const waiting = { timeout: 30_000 };

/** Makes the database as it was before invitations named who sent them. */
const goBack = async (): Promise<void> => {
  await pool.query(
    `delete from migrations where name in ('037-joined-members', '038-count-joined'); alter table members drop column invited_by`,
  );
};

test('W4 while members are counted anew they can be read and can join, and who joins is counted', async () => {
  await pool.query(`
    insert into users (id, role, created_at, updated_at) select id, 'user', now(), now() from unnest('{ana,bo,cy}'::text[]) id;
    insert into channel_types (name, config, permissions) values ('t', '{}', '[]');
    insert into channels (cid, type, id, created_at, updated_at, member_count) values ('t:a', 't', 'a', now(), now(), 2);
    insert into members (cid, user_id, channel_role, invited, created_at, updated_at)
      values ('t:a', 'ana', 'channel_member', false, now(), now()), ('t:a', 'bo', 'channel_member', true, now(), now())`);
  await goBack();
  const older = await pool.connect();
  await older.query("begin; select from channels where cid = 't:a' for update");

  const migrated = migrate(pool);
  await vi.waitFor(async () => {
    const { rows } = await admin.query(
      `select from pg_stat_activity where datname = '${name}' and wait_event_type = 'Lock'`,
    );
    expect(rows).toHaveLength(1);
  }, waiting);
  await older.query("set local lock_timeout = '1s'");
  await older.query(`insert into members (cid, user_id, channel_role, created_at, updated_at)
    values ('t:a', 'cy', 'channel_member', now(), now()); commit`);
  older.release();

  expect(await migrated).toEqual(['037-joined-members', '038-count-joined']);
  const { rows } = await pool.query("select member_count from channels where cid = 't:a'");
  expect(Number(rows[0].member_count)).toBe(2);
});

/** Makes the log as it was before it was partitioned, with events of which one is from next year. */
const goBackToOneTable = async (): Promise<void> => {
  await pool.query(`
    delete from migrations where name like '048%';
    drop table events;
    create table events (
      cid text collate "C" not null,
      seq bigint not null,
      created_at timestamptz(3) not null,
      payload text not null,
      primary key (cid, seq)
    );
    create index events_age on events using brin (created_at);
    insert into events select 't:a', n, now() - n * interval '1 hour', '{}' from generate_series(1, 500) n;
    insert into events values ('t:a', 501, now() + interval '1 year', '{}')`);
};

test('W4 while the log is partitioned an older server reads and writes it, also while a backup holds it', async () => {
  await goBackToOneTable();
  const [older, backup] = [await pool.connect(), await pool.connect()];
  const append = (seq: number) =>
    older.query({
      name: 'append',
      text: `insert into events (cid, seq, created_at, payload) values ('t:a', $1, now(), '{}')`,
      values: [seq],
    });
  const count = async (): Promise<unknown> => {
    const text = "select count(*)::int as count from events where cid = 't:a' and seq > $1";
    return (await older.query({ name: 'count', text, values: [0] })).rows[0].count;
  };
  for (let seq = 502; seq <= 510; seq++) await append(seq);
  expect(await count()).toBe(510);
  await backup.query('begin; select from events limit 1');

  const warnings: string[] = [];
  const migrated = migrate(pool, (line) => warnings.push(line));
  await vi.waitFor(async () => {
    const { rows } = await admin.query(
      `select from pg_stat_activity where datname = '${name}' and wait_event in ('relation', 'PgSleep')`,
    );
    expect(rows).toHaveLength(1);
  }, waiting);
  for (let seq = 511; seq <= 520; seq++) await append(seq);
  await backup.query('commit');
  backup.release();

  expect(await migrated).toEqual(['048-log-end', '048b-log-end-checked', '048c-log-partitions']);
  expect(warnings[0]).toContain('waits until nobody holds the table events');
  await append(521);
  expect(await count()).toBe(521);
  older.release();
  const { rows } = await pool.query(
    'select tableoid::regclass::text as place, count(*)::int from events group by 1',
  );
  expect(rows).toEqual([{ place: 'events_before', count: 521 }]);
  await expect(pool.query("insert into events values ('t:a', 1, now(), '{}')")).rejects.toThrow(
    /duplicate key/,
  );
});
