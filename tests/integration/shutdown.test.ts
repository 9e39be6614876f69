import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ServerProcess, startProcess } from './server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-process-'));
const running: ServerProcess[] = [];
let admin: pg.Client;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: process.env.PARLEY_TEST_PG ?? '' });
  await admin.connect();
});
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.signal('SIGTERM');
    await server.exited;
  }
});
afterAll(async () => {
  await admin.end();
  rmSync(folder, { recursive: true, force: true });
});

const emptyDatabase = async () => {
  const name = `empty_${crypto.randomUUID().replaceAll('-', '')}`;
  await admin.query(`create database ${name}`);
  const url = new URL(process.env.PARLEY_TEST_PG ?? '');
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => admin.query(`drop database if exists ${name} with (force)`) };
};
const start = async (url: string): Promise<ServerProcess> => {
  const server = await startProcess({ DATABASE_URL: url, PARLEY_DATA: join(folder, 'data') }, folder);
  running.push(server);
  return server;
};
const makeRoom = async ({ call }: ServerProcess): Promise<void> => {
  await call('POST', '/users', { users: { ana: { id: 'ana' } } });
  await call('POST', '/channels/messaging/room/query', { data: { created_by_id: 'ana', members: ['ana'] } });
};
const send = ({ call }: ServerProcess, id: string) =>
  call('POST', '/channels/messaging/room/message', { message: { id, text: id, user_id: 'ana' } });

test('W4 SIGTERM answers every send that it stored, and exits with 0', async () => {
  const database = await emptyDatabase();
  const server = await start(database.url);
  await makeRoom(server);
  await Promise.all(Array.from({ length: 30 }, (_, index) => send(server, `warm-${index}`)));

  const sends = Array.from({ length: 30 }, (_, index) => send(server, `flight-${index}`));
  await Promise.race(sends);
  server.signal('SIGTERM');
  const replies = await Promise.allSettled(sends);

  expect(await server.exited).toBe(0);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>("select id from messages where id like 'flight-%'");
  await client.end();
  const answered = replies.filter((reply) => reply.status === 'fulfilled' && reply.value.status === 201);
  expect(answered).toHaveLength(rows.length);
  await database.drop();
});
