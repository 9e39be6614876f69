import { startServer } from '@parley/server';
import {
  createTestChat,
  type ReplicatedPostgres,
  startReplicatedPostgres,
  type TestChat,
  until,
} from '@parley/testkit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let postgres: ReplicatedPostgres;
let chat: TestChat;
beforeAll(async () => {
  postgres = await startReplicatedPostgres();
  chat = await createTestChat({
    users: ['ana', 'bo'],
    config: { databaseUrl: postgres.url, databaseReplicaUrls: [postgres.replicaUrl] },
  });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
  await isUsed(1);
});
afterAll(async () => {
  await chat?.stop();
  await postgres?.stop();
});

/** Numbers of /metrics, by the name of the metric with its label. */
const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(`${chat.url}/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  );
};
const readsBy = (who: string) => metric(`parley_replica_reads_total{answered_by="${who}"}`);
const isUsed = (count: number) =>
  until(async () => (await metric('parley_replicas_used')) === count, `${count} replicas in use`);

const send = async (text: string) => {
  const ana = await chat.as('ana');
  const path = { type: 'messaging', id: 'room' };
  return (await ana.call('POST /channels/{type}/{id}/message', { path, body: { message: { text } } }))
    .message;
};
const search = async (query: string) =>
  (await (await chat.as('ana')).call('POST /search', { body: { query } })).results.map(
    ({ message }) => message.text,
  );
const pageBefore = async (id: string) => {
  const path = { type: 'messaging', id: 'room' };
  const body = { state: true, messages: { limit: 5, id_lte: id } };
  return (await (await chat.as('ana')).call('POST /channels/{type}/{id}/query', { path, body })).messages;
};
const namesLike = async (name: string) => {
  const { users } = await (await chat.as('ana')).call('POST /users/query', {
    body: { filter: { name: { $autocomplete: name } } },
  });
  return users.map((user) => user.name);
};

test('W4 searches, pages of messages and lists of users are answered by the replica, with what was just written', async () => {
  const before = { replica: await readsBy('replica'), primary: await readsBy('primary') };
  for (let n = 0; n < 10; n++) {
    const word = `quince${n}x`;
    const { id } = await send(word);
    expect((await pageBefore(id)).at(-1)?.id).toBe(id);
    expect(await search(word)).toEqual([word]);
    await chat.admin.users.upsert([{ id: 'bo', name: `Bo ${word}` }]);
    expect(await namesLike(`Bo ${word}`)).toEqual([`Bo ${word}`]);
  }

  const byReplica = (await readsBy('replica')) - before.replica;
  const byPrimary = (await readsBy('primary')) - before.primary;
  expect(byReplica).toBeGreaterThan(30);
  expect(byPrimary).toBeLessThan(byReplica / 2);
});

test('W4 rows that the replica does not know yet come from the primary, and one that stays behind is left out until it has caught up', async () => {
  await postgres.pauseReplica();
  const { id } = await send('medlar');
  expect((await pageBefore(id)).at(-1)?.id).toBe(id);
  expect(await search('medlar')).toEqual(['medlar']);
  await isUsed(0);

  const by = await readsBy('replica');
  await chat.admin.users.upsert([{ id: 'bo', name: 'Bo Medlar' }]);
  expect(await namesLike('Bo Medlar')).toEqual(['Bo Medlar']);
  expect(await readsBy('replica')).toBe(by);

  await postgres.resumeReplica();
  await isUsed(1);
  expect(await namesLike('Bo Medlar')).toEqual(['Bo Medlar']);
  expect(await readsBy('replica')).toBeGreaterThan(by);
  expect(await metric('parley_replica_delay_seconds')).toBeLessThan(1);
});

test('W4 a replica that stops fails no call, and is used again once it is back', async () => {
  const calls = Array.from({ length: 20 }, async (_, n) => {
    await new Promise((resolve) => setTimeout(resolve, n * 10));
    return namesLike('Ana');
  });
  await postgres.stopReplica();

  expect(await Promise.all(calls)).toEqual(Array.from({ length: 20 }, () => ['Ana']));
  await isUsed(0);
  await send('rowan');
  expect(await search('rowan')).toEqual(['rowan']);

  await postgres.startReplica();
  await isUsed(1);
  expect(await search('rowan')).toEqual(['rowan']);
});

test('W4 an address that leads to no replica is not used', async () => {
  const { config } = chat.server.kernel;
  const urls = [postgres.url, 'postgres://nobody:hush@127.0.0.1:1/none'];
  const other = await startServer({ ...config, port: 0, databaseReplicaUrls: urls });
  const users = await fetch(`${other.url}/api/users/query`, {
    method: 'POST',
    headers: {
      'x-api-key': chat.apiKey,
      authorization: await chat.token('ana'),
      'content-type': 'application/json',
    },
    body: '{}',
  });
  const text = await (await fetch(`${other.url}/metrics`)).text();
  await other.stop();

  expect(users.status).toBe(200);
  expect(text).toContain('parley_replicas_used 0');
});

/** When its connections from servers were last asked how far it is, by the number of the connection. */
const questionsTo = async (url: string): Promise<Map<number, number>> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number; query_start: Date }>(
    `select pid, query_start from pg_stat_activity where query like '%pg_last_wal_replay_lsn%' and pid <> pg_backend_pid()`,
  );
  await client.end();
  return new Map(rows.map(({ pid, query_start }) => [pid, query_start.getTime()]));
};

describe('after a failover to a server that had not all of it', () => {
  let other: Awaited<ReturnType<typeof startServer>>;
  let before: Map<number, number>;
  beforeAll(async () => {
    await postgres.stopReplica();
    const databaseUrl = await postgres.promoteCopy();
    await postgres.startReplica();
    await send('sorb');
    await postgres.advance();
    await isUsed(1);
    before = await questionsTo(postgres.replicaUrl);
    other = await startServer({ ...chat.server.kernel.config, port: 0, databaseUrl });
  });
  afterAll(() => other?.stop());

  const isUsedByOther = async () =>
    !(await (await fetch(`${other.url}/metrics`)).text()).includes('parley_replicas_used 0');
  /** Runs while the server on the new primary checks the replica of the old one again. */
  const duringChecks = async (run: () => Promise<void>): Promise<void> => {
    const firstQuestion = async () =>
      [...(await questionsTo(postgres.replicaUrl))].find(([pid]) => !before.has(pid));
    const [pid, at] = await until(firstQuestion, 'the first check');
    await until(async () => {
      await run();
      const asked = (await questionsTo(postgres.replicaUrl)).get(pid);
      return asked !== undefined && asked > at + 900;
    }, 'the next check');
  };

  test('W4 a replica that is ahead of the primary is not used', async () => {
    await duringChecks(async () => undefined);

    expect(await isUsedByOther()).toBe(false);
  });

  test('W4 a replica of the old primary is not used either while the positions of the two overtake each other', async () => {
    const seen: boolean[] = [];
    // At the check the replica is behind the new primary, and a moment later it is not.
    for (let checks = 0; checks < 2; checks++)
      await duringChecks(async () => {
        await postgres.takeLead(true);
        await postgres.takeLead(false);
        seen.push(await isUsedByOther());
      });

    expect(seen).not.toContain(true);
    expect(await metric('parley_replicas_used')).toBe(1);
  });
});
