import { createTestChat, type TestChat } from '@parley/testkit';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ids = Array.from({ length: 20 }, (_, index) => `m-${index}`);
const cid = 'messaging:room';
let chat: TestChat;
let database: pg.Client;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana'] });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana'] });
  for (const id of ids) await chat.admin.messages.send(cid, 'ana', { id, text: id });
  database = new pg.Client({ connectionString: chat.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await chat.stop();
});

const countOf = async (table: string): Promise<number> =>
  (await database.query(`select count(*)::int as count from ${table} where user_id = 'ana'`)).rows[0].count;

/** The statuses of calls that are made at the same time. */
const statusesOf = async (urlOf: (id: string) => string, bodyOf: (id: string) => unknown) => {
  const ana = await chat.as('ana');
  const replies = await Promise.all(
    ids.map((id) => ana.raw('POST', urlOf(id), { body: JSON.stringify(bodyOf(id)) })),
  );
  return replies.map(({ status }) => status).toSorted();
};

test('P4 reminders that are made at the same time do not exceed what a person may have', async () => {
  await database.query(
    `insert into messages (id, cid, user_id, text, type, number, seq, created_at, updated_at)
     select 'old-' || n, cid, 'ana', 'old', 'regular', 0, seq, now(), now()
     from channels, generate_series(1, 999) n where cid = $1`,
    [cid],
  );
  await database.query(
    `insert into reminders (user_id, message_id, cid, created_at, updated_at)
     select 'ana', 'old-' || n, $1, now(), now() from generate_series(1, 999) n`,
    [cid],
  );

  const statuses = await statusesOf(
    (id) => `/messages/${id}/reminders`,
    () => ({ note: 'later' }),
  );

  expect(statuses).toEqual([201, ...ids.slice(1).map(() => 400)]);
  expect(await countOf('reminders')).toBe(1000);
});

test('P4 messages that are scheduled at the same time do not exceed what a person may have', async () => {
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  await database.query(
    `insert into scheduled_messages (id, user_id, cid, input, send_at, created_at, updated_at)
     select 'old-' || n, 'ana', $1, '{}', $2, now(), now() from generate_series(1, 99) n`,
    [cid, send_at],
  );

  const statuses = await statusesOf(
    () => '/channels/messaging/room/scheduled_messages',
    (id) => ({ message: { id: `later-${id}`, text: id }, send_at }),
  );

  expect(statuses).toEqual([201, ...ids.slice(1).map(() => 400)]);
  expect(await countOf('scheduled_messages')).toBe(100);
});
