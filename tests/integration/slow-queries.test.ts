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
