import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@parley/testkit';
import { freePort } from '@parley/testkit/free-port';
import { afterAll, expect, test } from 'vitest';
import { spawnMain, startProcess } from './server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-start-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isStack = /\n\s+at /;

test('W1 a database that is down at the start is waited for with plain messages, and then given up in words', async () => {
  const DATABASE_URL = `postgres://ana:a-secret-word@127.0.0.1:${await freePort()}/chat`;
  const { exited, output } = spawnMain(
    { DATABASE_URL, PARLEY_DATABASE_WAIT_SECONDS: '2', LOG_LEVEL: 'warn', PARLEY_DATA: join(folder, 'a') },
    folder,
  );

  expect(await exited).toBe(1);
  expect(output()).toMatch(/does not answer .*the next try is in 0.5 s/);
  expect(output()).toMatch(/did not answer within 2 s: .*ECONNREFUSED.*DATABASE_URL/);
  expect(output()).not.toMatch(isStack);
  expect(output()).not.toContain('a-secret-word');
});

test('W1 a database that refuses us is not waited for', async () => {
  const url = new URL(process.env.PARLEY_TEST_PG ?? '');
  url.pathname = '/no_such_database';
  const { exited, output } = spawnMain({ DATABASE_URL: url.href, PARLEY_DATA: join(folder, 'a') }, folder);

  expect(await exited).toBe(1);
  expect(output()).toMatch(/refuses the connection: .*no_such_database.*Check DATABASE_URL/);
  expect(output()).not.toMatch(isStack);
});

test('W1 a database that may only be read is named with what is missing, without a stack', async () => {
  const url = new URL(process.env.PARLEY_TEST_PG ?? '');
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  const { exited, output } = spawnMain({ DATABASE_URL: url.href, PARLEY_DATA: join(folder, 'a') }, folder);

  expect(await exited).toBe(1);
  expect(output()).toMatch(/could not be brought up to date: .*read-only.*Parley needs to write there/);
  expect(output()).not.toMatch(isStack);
});

test('W1 an address of a database that cannot be one is named', async () => {
  const DATABASE_URL = 'postgres://ana@127.0.0.1:99999/chat';
  const { exited, output } = spawnMain({ DATABASE_URL, PARLEY_DATA: join(folder, 'a') }, folder);

  expect(await exited).toBe(1);
  expect(output()).toMatch(/Invalid URL. Check DATABASE_URL/);
  expect(output()).not.toMatch(isStack);
});

test('W1 a variable of ours with a slip in its name stops the start; one that may be another program’s is a warning', async () => {
  const wrong = spawnMain({ PARLEY_API_SECERT: 'x'.repeat(40), PARLEY_DATA: join(folder, 'a') }, folder);
  expect(await wrong.exited).toBe(1);
  expect(wrong.output()).toContain(
    'PARLEY_API_SECERT is not a variable of Parley: did you mean PARLEY_API_SECRET?',
  );

  const DATABASE_URL = `postgres://ana@127.0.0.1:${await freePort()}/chat`;
  const odd = spawnMain(
    { DATABASE_URL, STORGE_URL: 'file:', PARLEY_DATABASE_WAIT_SECONDS: '0', PARLEY_DATA: join(folder, 'a') },
    folder,
  );
  await odd.exited;
  expect(odd.output()).toContain(
    'Warning: STORGE_URL is not a variable of Parley: did you mean STORAGE_URL?',
  );
});

const postmasterOf = (dataDir: string): number =>
  Number.parseInt(readFileSync(join(dataDir, 'pg', 'postmaster.pid'), 'utf8'), 10);

test('W4 an embedded PostgreSQL that dies is started again by the running server, and messages go on', async () => {
  const dataDir = join(folder, 'embedded');
  const server = await startProcess({ PARLEY_DATA: dataDir, LOG_LEVEL: 'warn' }, folder);
  try {
    await server.call('POST', '/users', { users: { ana: { id: 'ana' } } });
    await server.call('POST', '/channels/messaging/room/query', {
      data: { created_by_id: 'ana', members: ['ana'] },
    });
    const send = (id: string) =>
      server.call('POST', '/channels/messaging/room/message', { message: { id, text: id, user_id: 'ana' } });
    expect((await send('before')).status).toBe(201);

    const first = postmasterOf(dataDir);
    process.kill(first, 'SIGKILL');
    const meanwhile: number[] = [];
    await until(async () => {
      const isNew = existsSync(join(dataDir, 'pg', 'postmaster.pid')) && postmasterOf(dataDir) !== first;
      const { status } = await send(`try-${meanwhile.length}`);
      meanwhile.push(status);
      return isNew && status === 201;
    }, 'a message that is stored');

    // Whatever came before was answered as unavailable, not as a fault, or stored by a process of the old one that still ran.
    expect(meanwhile.filter((status) => status !== 503 && status !== 201)).toEqual([]);
    expect(postmasterOf(dataDir)).not.toBe(first);
    expect(server.output()).toContain('PostgreSQL has ended by itself and is started again');
    await until(() => server.output().includes('PostgreSQL is running again'), 'the line of the log');
    for (const path of ['/messages/before', `/messages/try-${meanwhile.length - 1}`])
      expect((await server.call('GET', path, undefined, 'ana')).status).toBe(200);
    expect((await server.call('POST', '/channels', { filter: { type: 'messaging' } }, 'ana')).status).toBe(
      200,
    );
    expect((await server.call('POST', '/search', { query: 'before' }, 'ana')).status).toBe(200);
  } finally {
    server.signal('SIGTERM');
    await server.exited;
  }
});

test('W4 a long-poll that waits for its events is no slow call: it leaves no warning in the log', async () => {
  const server = await startProcess({ PARLEY_DATA: join(folder, 'waiting'), LOG_LEVEL: 'warn' }, folder);
  try {
    const opened = await server.call('POST', '/longpoll', { payload: { user_id: 'ana' } }, 'ana');
    const { connection_id } = opened.body as { connection_id: string };
    const began = performance.now();
    const waiting = server.call('POST', '/longpoll', { connection_id, ack: 0 }, 'ana');
    // The time that the call is held is what the test is about.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await server.call('POST', '/users', { users: { bo: { id: 'bo' } } });
    await server.call('POST', '/channels/messaging/room/query', {
      data: { created_by_id: 'bo', members: ['ana', 'bo'] },
    });

    expect((await waiting).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(1500);
  } finally {
    server.signal('SIGTERM');
    await server.exited;
  }
  expect(server.output()).not.toMatch(/"route":"[^"]*longpoll"/);
});
