import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type ServerProcess, spawnMain, startProcess } from './server-process.ts';

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

test('W4 two processes start at once on one empty database: both serve, migrations ran once, no id is doubled', async () => {
  const database = await emptyDatabase();

  const [one, two] = await Promise.all([start(database.url), start(database.url)]);
  await makeRoom(one);
  await send(one, 'from-one');
  const seen = await two.call('GET', '/messages/from-one', undefined, 'ana');

  expect(seen).toMatchObject({ status: 200, body: { message: { text: 'from-one' } } });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>('select name from migrations');
  await client.end();
  expect(rows.length).toBeGreaterThan(0);
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);

  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) => send(index % 2 ? one : two, `id-${index >> 2}`)),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(5);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(15);
});

test('W4 SIGTERM ends in order: exit code 0, and the sends answered are exactly those stored', async () => {
  const database = await emptyDatabase();
  const server = await start(database.url);
  await makeRoom(server);
  await Promise.all(Array.from({ length: 30 }, (_, index) => send(server, `warm-${index}`)));

  const ids = Array.from({ length: 30 }, (_, index) => `flight-${index}`);
  const sends = ids.map((id) => send(server, id));
  await Promise.race(sends);
  server.signal('SIGTERM');
  const replies = await Promise.allSettled(sends);

  expect(await server.exited).toBe(0);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>("select id from messages where id like 'flight-%'");
  await client.end();
  const statuses = replies.map((reply) => (reply.status === 'fulfilled' ? reply.value.status : 'cut off'));
  const answered = ids.filter((_, index) => statuses[index] === 201);
  expect(answered.length).toBeGreaterThan(0);
  expect(new Set(answered)).toEqual(new Set(rows.map(({ id }) => id)));
  expect(statuses.filter((status) => ![201, 503, 'cut off'].includes(status))).toEqual([]);
  await database.drop();
});

test.each<[string, Record<string, string>, string]>([
  ['a port that is none', { PORT: 'abc' }, 'PORT'],
  [
    'production without a secret',
    { NODE_ENV: 'production', PARLEY_API_SECRET: '', PARLEY_API_KEY: '' },
    'PARLEY_API_SECRET',
  ],
])('W1 %s: the start is refused and the mistake named', async (_title, env, named) => {
  const { exited, output } = spawnMain(env, folder);

  expect(await exited).toBe(1);
  expect(output()).toContain(named);
  expect(output()).not.toMatch(/\n\s+at /);
});

test.each(['SIGTERM', 'SIGHUP'] as const)(
  'W4 %s during the start ends the embedded database too',
  async (signal) => {
    const data = join(folder, `early-${signal}`);
    const { child, exited, output } = spawnMain({ PARLEY_DATA: data }, folder);
    const pidFile = join(data, 'pg', 'postmaster.pid');
    // The file is there before its content, and 0 would name this process and its relatives.
    const readPid = () => {
      const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
      expect(pid).toBeGreaterThan(0);
      return pid;
    };
    const database = await vi.waitFor(readPid, { timeout: 60_000, interval: 5 });
    child.kill(signal);

    expect(await exited).toBe(0);
    expect(output()).not.toContain('listening');
    // Throws once the process is gone.
    await vi.waitFor(() => expect(() => process.kill(database, 0)).toThrow('ESRCH'));
  },
);

test('W1 a database that cannot be reached ends the start with an error, not a hang', async () => {
  const { exited, output } = spawnMain(
    { DATABASE_URL: 'postgres://127.0.0.1:1/none', PARLEY_DATABASE_WAIT_SECONDS: '1' },
    folder,
  );

  expect(await exited).toBe(1);
  expect(output()).toContain('ECONNREFUSED');
});
