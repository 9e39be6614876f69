import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServerProcess, startProcess } from './server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-upgrade-'));
const name = `upgrade_${crypto.randomUUID().replaceAll('-', '')}`;
// The folder is under the root, where the copies of the server find the packages that they import.
const root = fileURLToPath(new URL('../..', import.meta.url));
const versions = join(root, '.cache', name);
const url = new URL(process.env.PARLEY_TEST_PG ?? '');
url.pathname = `/${name}`;
const env = { DATABASE_URL: url.href, PARLEY_DATA: join(folder, 'data') };
let admin: pg.Client;
const servers: ServerProcess[] = [];
const start = async (main?: string): Promise<ServerProcess> => {
  const server = await startProcess(env, folder, main);
  servers.push(server);
  return server;
};
beforeAll(async () => {
  admin = new pg.Client({ connectionString: process.env.PARLEY_TEST_PG ?? '' });
  await admin.connect();
  await admin.query(`create database ${name}`);
});
afterAll(async () => {
  for (const server of servers) server.signal('SIGTERM');
  await Promise.all(servers.map(({ exited }) => exited));
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.end();
  for (const path of [folder, versions]) rmSync(path, { recursive: true, force: true });
});

const listTables = async (): Promise<string[]> => {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  // A partition has the columns of its table.
  const { rows } = await client.query<{ relname: string }>(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  await client.end();
  return rows.map((row) => row.relname);
};

/** The server of today with other migrations; the path of its entry. */
const makeVersion = (version: string, change: (list: string) => string): string => {
  const path = join(versions, version);
  mkdirSync(path, { recursive: true });
  cpSync(fileURLToPath(new URL('../../packages/server/src', import.meta.url)), path, { recursive: true });
  const file = join(path, 'db/migrate.ts');
  const text = readFileSync(file, 'utf8');
  const list = /const migrations = \[[^\]]*/.exec(text)?.[0] ?? 'the list of migrations';
  expect(text).toContain(list);
  writeFileSync(
    file,
    text.replace(list, () => change(list)),
  );
  return join(path, 'main.ts');
};

/** The migration that moved rows to other tables last, and the names of its steps. */
const lastMove = 'packages/server/src/db/migrations/048-log-partitions.ts';
const lastMoves = ['logEnd', 'logEndChecked', 'logPartitions'];

const git = (...given: string[]): Buffer =>
  execFileSync('git', given, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 28 });

/** The commit before that migration; undefined in a clone without its history, or in no clone. */
const findOlder = (): string | undefined => {
  try {
    const added = git('log', '--diff-filter=A', '--format=%H', '--', lastMove).toString().trim();
    return git('rev-parse', '--verify', `${added}^`).toString().trim();
  } catch {
    return undefined;
  }
};

/** The server as it was at that commit, with the protocol that it had; the path of its entry. */
const checkOut = (commit: string): string => {
  const path = join(versions, 'older');
  mkdirSync(join(path, 'node_modules/@parley'), { recursive: true });
  execFileSync('tar', ['-x', '-C', path], {
    input: git('archive', commit, 'packages/protocol', 'packages/server'),
  });
  symlinkSync(join(path, 'packages/protocol'), join(path, 'node_modules/@parley/protocol'));
  expect(existsSync(join(path, lastMove))).toBe(false);
  return join(path, 'packages/server/src/main.ts');
};

/** The server of before that migration: as it was, where the clone knows it, or else that of today without the migration. */
const makeOlder = (): string => {
  const commit = findOlder();
  if (commit !== undefined) return checkOut(commit);
  process.stderr.write(
    '\n*** The rolling upgrade is tried with the server of today, less its last migrations: this clone does not have the history of an older one. ***\n\n',
  );
  return makeVersion('older', (list) => {
    const lines = list.split('\n');
    const kept = lines.filter((line) => !lastMoves.includes(line.trim().replace(',', '')));
    expect(lines.length - kept.length).toBe(lastMoves.length);
    return kept.join('\n');
  });
};

/** The server of today with one migration more for each table, which adds a column to it. */
const makeNewer = async (): Promise<string> => {
  const more = (await listTables()).map(
    (table) =>
      `{ name: '999-${table}', sql: "alter table ${table} add column newer text not null default 'x'" },`,
  );
  return makeVersion('newer', (list) => list + more.join('\n'));
};

type Step = [method: string, path: string, body?: unknown, userId?: string];
let count = 0;

/** The usual calls of a chat, to run as many different statements as possible. */
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
const play = async (server: ServerProcess): Promise<void> => {
  for (const [method, path, body, userId] of story()) {
    const reply = await server.call(method, path, body, userId);
    if (reply.status >= 400)
      failures.push(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  }
};
const playMany = async (server: ServerProcess, times: number): Promise<void> => {
  await Promise.all(Array.from({ length: times }, () => play(server)));
};

test('W4 a newer server migrates while an older one serves: no call fails', async () => {
  const older = await start(makeOlder());
  for (const id of ['ana', 'bo']) await older.call('POST', '/users', { users: { [id]: { id } } });
  await older.call('POST', '/channels/messaging/room/query', {
    data: { created_by_id: 'ana', members: ['ana', 'bo'] },
  });
  // Twice, so that every statement is prepared, on several connections.
  await playMany(older, 2);
  await playMany(older, 2);
  expect(failures).toEqual([]);

  let isDone = false;
  const load = Promise.all(
    Array.from({ length: 2 }, async () => {
      while (!isDone) await play(older);
    }),
  );
  const newer = await start(await makeNewer());
  await playMany(older, 2);
  await play(newer);
  isDone = true;
  await load;

  older.signal('SIGTERM');
  expect(await older.exited).toBe(0);
  await play(newer);
  expect(failures).toEqual([]);
});
