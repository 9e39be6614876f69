import { createTestChat, type TestChat } from '@parley/testkit';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

const withDatabase = async (run: (client: pg.Client) => Promise<void>): Promise<void> => {
  const client = new pg.Client({ connectionString: chat.databaseUrl });
  await client.connect();
  try {
    await run(client);
  } finally {
    await client.end();
  }
};

test('protocol 1 a filter with three text searches or a prefix over 64 characters is refused', async () => {
  const ana = await chat.as('ana');
  const search = { name: { $autocomplete: 'an' } };

  const many = await ana.refused('POST /users/query', {
    body: { filter: { $or: [search, search, search] } },
  });
  const long = await ana.refused('POST /channels', {
    body: { filter: { name: { $autocomplete: 'x'.repeat(65) } } },
  });

  expect(many).toMatchObject({ name: 'QueryTooComplex', status: 400, code: 70 });
  expect(long).toMatchObject({ code: 4, details: [{ path: 'filter.name.$autocomplete' }] });
});

test('protocol 1 queries that take too long end after two seconds, and ordinary calls go on meanwhile', async () => {
  const ana = await chat.as('ana');
  await withDatabase(async (other) => {
    // A lock stands for a slow query: it holds the connections of queries until their time is over.
    await other.query('begin');
    await other.query('lock table users in access exclusive mode');
    const slow = Array.from({ length: 20 }, () => ana.refused('POST /users/query', { body: {} }));
    const sent = await ana.call('POST /channels/{type}/{id}/message', {
      path: { type: 'messaging', id: 'room' },
      body: { message: { text: 'still here' } },
    });
    const refusals = await Promise.all(slow);
    await other.query('rollback');

    expect(sent.message.text).toBe('still here');
    const names = refusals.map(({ name }) => name);
    expect(names.filter((name) => name === 'QueryTooComplex').length).toBeGreaterThan(0);
    expect(names.every((name) => name === 'QueryTooComplex' || name === 'Unavailable')).toBe(true);
    expect(refusals.every(({ status }) => status === 400 || status === 503)).toBe(true);
  });
  await ana.call('POST /users/query', { body: {} });
});

const path = { type: 'messaging', id: 'room' };
const room = `/channels/${path.type}/${path.id}`;

type Read = [method: string, path: string, body?: unknown];
/** Reads of every kind that a caller waits for. */
const readsOf = (id: string): Read[] => [
  ['POST', `${room}/query`, { state: true, messages: { limit: 20, id_lt: id } }],
  ['POST', `${room}/query`, { state: true, messages: { limit: 20, id_around: id } }],
  ['POST', '/sync', { cursors: { 'messaging:room': 0 } }],
  ['GET', '/unread'],
  ['GET', `/messages/${id}`],
  ['GET', `/messages/${id}/replies`],
  ['GET', `${room}/messages?ids=${id}`],
  ['GET', `/messages/${id}/receipts`],
  ['GET', `/threads/${id}`],
  ['POST', '/threads', {}],
  ['POST', `${room}/query`, { state: true }],
  ['POST', '/channels', { filter: {}, state: true }],
  ['POST', `/messages/${id}/reactions/query`, {}],
  ['POST', '/members/query', path],
  ['POST', '/search', { query: 'here', filter: {} }],
  ['POST', '/drafts/query', {}],
  ['POST', '/reminders/query', {}],
  ['POST', '/scheduled_messages/query', {}],
];

test('protocol 1 every read that waits for the database ends after two seconds, not after those of writes', async () => {
  const ana = await chat.as('ana');
  const { message } = await ana.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'here' } },
  });
  await ana.call('GET /unread', {});
  await withDatabase(async (other) => {
    await other.query('begin');
    await other.query(
      'lock table messages, members, events, reactions, drafts, reminders, scheduled_messages in access exclusive mode',
    );
    const timed = async ([method, url, body]: Read): Promise<string[]> => {
      const since = performance.now();
      const reply = await ana.raw(method, url, body === undefined ? {} : { body: JSON.stringify(body) });
      const ms = performance.now() - since;
      const { name } = reply.body as { name?: string };
      // An answer from a cache is as good.
      const isRight = reply.status < 300 || name === 'Unavailable' || name === 'QueryTooComplex';
      return ms < 6000 && isRight
        ? []
        : [`${method} ${url}: ${reply.status} ${name} after ${Math.round(ms)} ms`];
    };
    const late: string[] = [];
    const reads = readsOf(message.id);
    for (let start = 0; start < reads.length; start += 5)
      late.push(...(await Promise.all(reads.slice(start, start + 5).map(timed))).flat());
    await other.query('rollback');
    expect(late).toEqual([]);
  });
});

test('protocol 1 a write may wait longer than two seconds for the database', async () => {
  const ana = await chat.as('ana');
  const { message } = await ana.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'v1' } },
  });
  await withDatabase(async (other) => {
    await other.query('begin');
    await other.query('select from channels where cid = $1 for update', ['messaging:room']);
    const edit = ana.raw('PATCH', `/messages/${message.id}`, {
      body: JSON.stringify({ set: { text: 'v2' } }),
    });
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await other.query('rollback');
    expect((await edit).status).toBe(200);
  });
});
