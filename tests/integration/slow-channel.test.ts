import { createTestChat, type TestChat, until } from '@parley/testkit';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const rooms = Array.from({ length: 12 }, (_, index) => `room-${index}`);
let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
  for (const room of ['held', ...rooms])
    await chat.admin.channels.create('messaging', room, { created_by_id: 'ana', members: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

const send = async (room: string, message: Record<string, unknown>, userId = 'ana') =>
  (await chat.as(userId)).raw('POST', `/channels/messaging/${room}/message`, {
    body: JSON.stringify({ message }),
  });

/** A transaction of another process that holds a channel until it is let go. */
const hold = async (cid: string) => {
  const client = new pg.Client({ connectionString: chat.databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select cid from channels where cid = $1 for update', [cid]);
  return async () => {
    await client.query('commit');
    await client.end();
  };
};

test('M4 while one channel is held, sends to all others go on, and its own follow once it is free', async () => {
  const release = await hold('messaging:held');
  const answered: string[] = [];
  const held = ['one', 'two', 'three'].map((text) =>
    send('held', { id: `held-${text}`, text }).then((reply) => {
      answered.push(text);
      return reply.status;
    }),
  );

  // Alone and in batches, several times, with the held channel in each batch.
  for (const round of [1, 2, 3]) {
    const late = send('held', { id: `late-${round}`, text: `late ${round}` }).then(({ status }) => status);
    held.push(late);
    const replies = await Promise.all(rooms.map((room) => send(room, { text: `round ${round}` })));
    expect(replies.map(({ status }) => status)).toEqual(rooms.map(() => 201));
    expect((await send('room-0', { text: 'alone' })).status).toBe(201);
  }
  expect(answered).toEqual([]);

  await release();
  expect(await Promise.all(held)).toEqual(held.map(() => 201));
  const server = await chat.as();
  const { messages } = await server.call('POST /channels/{type}/{id}/query', {
    path: { type: 'messaging', id: 'held' },
    body: { state: true },
  });
  expect(messages.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  // They were sent at once by separate requests, so any order is right.
  const texts = ['late 1', 'late 2', 'late 3', 'one', 'three', 'two'];
  expect(messages.map(({ text }) => text).toSorted()).toEqual(texts);
});

test('M4 more held channels than connections that wait for them do not stop the rest', async () => {
  const held = rooms.slice(0, 6);
  const releases = await Promise.all(held.map((room) => hold(`messaging:${room}`)));
  const waiting = held.map((room) => send(room, { text: 'waits' }));

  for (const room of rooms.slice(6)) expect((await send(room, { text: 'goes on' })).status).toBe(201);

  // The last first: who waits for the others must not hold the connections it needs.
  await releases.at(-1)?.();
  expect((await waiting.at(-1))?.status).toBe(201);
  for (const release of releases.slice(0, -1)) await release();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(held.map(() => 201));
});

test('M4 what is refused is refused for one message alone as in a batch', async () => {
  const first = await send('room-7', { id: 'taken', text: 'first' });
  const again = await send('room-7', { id: 'taken', text: 'again' });
  const others = await send('room-7', { id: 'taken', text: 'mine' }, 'bo');
  const elsewhere = await send('room-8', { id: 'taken', text: 'there' });
  expect([first, again, others, elsewhere].map(({ status }) => status)).toEqual([201, 200, 409, 409]);
  expect(again.body).toMatchObject({ message: { id: 'taken', text: 'first' } });

  // The rule is looked at under the lock: what a cache thinks of the channel does not count.
  const database = new pg.Client({ connectionString: chat.databaseUrl });
  await database.connect();
  await database.query(`update channels set frozen = true where cid = 'messaging:room-9'`);
  await database.query(`update channels set deleted_at = now() where cid = 'messaging:room-10'`);
  expect((await send('room-9', { text: 'cold' })).status).toBe(403);
  expect((await send('room-10', { text: 'gone' })).status).toBe(404);
  const { rows } = await database.query(`select seq from channels where cid = 'messaging:room-9'`);
  const { rows: events } = await database.query(
    `select max(seq) as seq from events where cid = 'messaging:room-9'`,
  );
  expect(rows).toEqual(events);
  await database.end();
});

test('M4 what one statement stores is what everyone hears, reads and syncs', async () => {
  const { client: bo } = await chat.connect('bo');
  await bo.channels.open('messaging', 'room-11');
  const text = 'a "quote", a \\ and ,"number":7, and $13 \u2028 \u0001 ünï';
  const sent = await send('room-11', { id: 'odd', text, fruit: { number: 3 }, mentioned_users: ['bo'] });

  expect(sent.status).toBe(201);
  const { message } = sent.body as { message: Record<string, unknown> };
  const cid = 'messaging:room-11';
  const here = () =>
    bo.channels
      .state(cid)
      .get()
      ?.messages.find(({ id }) => id === 'odd');
  await until(() => here() !== undefined, 'the message at Bo');
  expect(here()).toMatchObject({ text, number: message.number, created_at: message.created_at });
  const stored = (await (await chat.as('ana')).raw('GET', '/messages/odd')).body;
  expect(stored).toEqual({ message });
  const seq = bo.channels.state(cid).get()?.seq ?? 0;
  const synced = await (await chat.as('bo')).raw('POST', '/sync', {
    body: JSON.stringify({ cursors: { [cid]: seq - 1 } }),
  });
  expect(JSON.stringify(synced.body)).toContain('"odd"');
});

test('M14 a channel of many messages is emptied in steps: it is not held meanwhile, and nothing of it stays', async () => {
  const database = new pg.Client({ connectionString: chat.databaseUrl });
  await database.connect();
  const cid = 'messaging:room-6';
  const fill = (count: number) =>
    database.query(
      `insert into messages (id, cid, user_id, text, type, parent_id, number, seq, created_at, updated_at)
       select 'big-' || seq || '-' || n, cid, 'ana', 'old', 'regular',
         case when n % 10 = 0 then 'parent' end, 0, seq, now() - interval '1 day', now()
       from channels, generate_series(1, $2::int) as n where cid = $1`,
      [cid, count],
    );
  await fill(3500);
  // A reader's lock on one old message stops a step for as long as it lasts, but nobody who wants the channel.
  await database.query('begin');
  await database.query(`select id from messages where cid = $1 and text = 'old' limit 1 for update`, [cid]);
  const server = await chat.as();
  const path = { type: 'messaging', id: 'room-6' };
  const truncated = server.call('POST /channels/{type}/{id}/truncate', { path, body: {} });
  const sent = await send('room-6', { id: 'meanwhile', text: 'meanwhile' });
  expect(sent.status).toBe(201);
  await database.query('commit');
  await truncated;
  const left = await database.query('select id from messages where cid = $1', [cid]);
  expect(left.rows).toEqual([]);

  // For good and as a task, which says how far it is.
  await fill(2500);
  const { task_id } = await server.call('POST /channels/delete', {
    body: { cids: [cid], hard_delete: true },
  });
  await vi.waitFor(async () => {
    const task = await server.call('GET /tasks/{id}', { path: { id: task_id } });
    expect(task.status).toBe('completed');
  });
  const rest = await database.query('select cid from messages where cid = $1', [cid]);
  expect(rest.rows).toEqual([]);
  await database.end();
});
