import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServerProcess, startProcess } from './server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-upgrade-'));
const name = `upgrade_${crypto.randomUUID().replaceAll('-', '')}`;
let admin: pg.Client;
let newer: pg.Client;
let server: ServerProcess;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: process.env.PARLEY_TEST_PG ?? '' });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = new URL(process.env.PARLEY_TEST_PG ?? '');
  url.pathname = `/${name}`;
  server = await startProcess({ DATABASE_URL: url.href, PARLEY_DATA: join(folder, 'data') }, folder);
  newer = new pg.Client({ connectionString: url.href });
  await newer.connect();
});
afterAll(async () => {
  server.signal('SIGTERM');
  await server.exited;
  await newer.end();
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.end();
  rmSync(folder, { recursive: true, force: true });
});

type Step = [method: string, path: string, body?: unknown, userId?: string];
let count = 0;

/** What people do in a chat, as many different statements as it takes. */
const story = (): Step[] => {
  const id = `m-${++count}`;
  const room = '/channels/messaging/room';
  return [
    ['POST', `${room}/message`, { message: { id, text: 'hello' } }, 'ana'],
    ['POST', `${room}/message`, { message: { text: 'a reply', parent_id: id } }, 'bo'],
    ['POST', `${room}/message`, { message: { text: 'a quote', quoted_message_id: id } }, 'bo'],
    ['POST', `${room}/read`, {}, 'bo'],
    ['POST', `/messages/${id}/reaction`, { reaction: { type: 'like' } }, 'bo'],
    ['PUT', `/messages/${id}`, { message: { text: 'edited', mentioned_users: ['bo'] } }, 'ana'],
    ['PATCH', `/messages/${id}`, { set: { pinned: true } }, 'ana'],
    ['POST', `${room}/query`, { state: true }, 'bo'],
    ['POST', '/channels', { filter: { cid: 'messaging:room' } }, 'ana'],
    ['GET', `/messages/${id}`, undefined, 'bo'],
    ['GET', `/messages/${id}/replies`, undefined, 'bo'],
    ['POST', '/threads', {}, 'ana'],
    ['POST', `${room}`, { data: { name: `name ${count}` } }, 'ana'],
    ['POST', `${room}/draft`, { message: { text: 'later' } }, 'ana'],
    ['POST', `/messages/${id}/reminders`, {}, 'ana'],
    ['POST', '/search', { filter: { cid: 'messaging:room' }, query: 'hello' }, 'ana'],
    ['DELETE', `/messages/${id}`, undefined, 'ana'],
    ['POST', '/users', { users: { cy: { id: 'cy', name: `Cy ${count}` } } }],
    ['PATCH', `${room}/member`, { set: { mood: count } }, 'bo'],
  ];
};

const failures: string[] = [];
const play = async (): Promise<void> => {
  for (const [method, path, body, userId] of story()) {
    const reply = await server.call(method, path, body, userId);
    if (reply.status >= 400)
      failures.push(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  }
};
const playMany = async (times: number): Promise<void> => {
  await Promise.all(Array.from({ length: times }, play));
};

const tables = async (): Promise<string[]> => {
  const { rows } = await newer.query<{ table_name: string }>(
    `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  return rows.map((row) => row.table_name);
};

test('W4 a newer server adds a column to every table while an older one serves: no call fails', async () => {
  for (const id of ['ana', 'bo']) await server.call('POST', '/users', { users: { [id]: { id } } });
  await server.call('POST', '/channels/messaging/room/query', {
    data: { created_by_id: 'ana', members: ['ana', 'bo'] },
  });
  // Twice, so that every statement is prepared, on several connections.
  await playMany(4);
  await playMany(4);
  expect(failures).toEqual([]);

  let isDone = false;
  const load = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!isDone) await play();
    }),
  );
  for (const table of await tables()) {
    await newer.query(`alter table ${table} add column newer text not null default 'x'`);
    await newer.query('insert into migrations (name) values ($1)', [`999-${table}`]);
  }
  await playMany(2);
  isDone = true;
  await load;
  await playMany(4);

  expect(failures).toEqual([]);
}, 120_000);
