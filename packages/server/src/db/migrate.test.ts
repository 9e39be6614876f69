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
  // end() does not wait for the sockets: dropping the database ends those that are left, and the pool hears of it.
  pool.on('error', () => undefined);
  await migrate(pool);
});
afterAll(async () => {
  await pool.end();
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.end();
});

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
  });
  await older.query("set local lock_timeout = '1s'");
  await older.query(`insert into members (cid, user_id, channel_role, created_at, updated_at)
    values ('t:a', 'cy', 'channel_member', now(), now()); commit`);
  older.release();

  expect(await migrated).toEqual(['037-joined-members', '038-count-joined']);
  const { rows } = await pool.query("select member_count from channels where cid = 't:a'");
  expect(Number(rows[0].member_count)).toBe(2);
});
