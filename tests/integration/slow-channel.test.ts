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

test('M4 refusals are the same for one message alone as in a batch', async () => {
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

test('M4 a message stored by one statement is the one that everyone receives, reads and syncs', async () => {
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

const logTypes = async (room: string): Promise<string[]> => {
  const caller = await chat.as('bo');
  const { events } = await caller.call('POST /sync', { body: { cursors: { [`messaging:${room}`]: 0 } } });
  return (events as { type: string }[]).map(({ type }) => type);
};
const untilLogged = (room: string, type: string) =>
  vi.waitFor(async () => expect(await logTypes(room)).toContain(type));

test('P2 votes in a channel that is held are published when it is free, those of other channels at once', async () => {
  const ana = await chat.as('ana');
  const asked: { room: string; poll_id: string; option_id: string; id: string }[] = [];
  for (const room of ['room-1', 'room-2', 'room-3']) {
    const { poll } = await ana.call('POST /polls', { body: { name: 'Lunch?', options: [{ text: 'Soup' }] } });
    const { message } = await ana.call('POST /channels/{type}/{id}/message', {
      path: { type: 'messaging', id: room },
      body: { message: { poll_id: poll.id } },
    });
    asked.push({ room, poll_id: poll.id, option_id: poll.options[0]?.id ?? '', id: message.id });
  }
  const release = await hold('messaging:room-1');
  const vote = async ({ id, poll_id, option_id }: (typeof asked)[number]) =>
    (await chat.as('bo')).call('POST /messages/{id}/polls/{poll_id}/vote', {
      path: { id, poll_id },
      body: { vote: { option_id } },
    });

  for (const one of asked) await vote(one);

  for (const room of ['room-2', 'room-3']) await untilLogged(room, 'poll.vote_casted');
  expect(await logTypes('room-1')).not.toContain('poll.vote_casted');
  await release();
  await untilLogged('room-1', 'poll.vote_casted');
});

test('P5 steps of locations in a channel that is held are published when it is free, others at once', async () => {
  const ana = await chat.as('ana');
  const shared: string[] = [];
  const device = { created_by_device_id: 'phone' };
  for (const id of ['room-1', 'room-2', 'room-3']) {
    const end_at = new Date(Date.now() + 900_000).toISOString();
    const { message } = await ana.call('POST /channels/{type}/{id}/message', {
      path: { type: 'messaging', id },
      body: { message: { shared_location: { latitude: 1, longitude: 2, ...device, end_at } } },
    });
    shared.push(message.id);
  }
  const release = await hold('messaging:room-1');

  for (const message_id of shared)
    await ana.call('PUT /users/live_locations', {
      body: { message_id, ...device, latitude: 3, longitude: 4 },
    });

  for (const room of ['room-2', 'room-3']) await untilLogged(room, 'live_location_sharing.updated');
  expect(await logTypes('room-1')).not.toContain('live_location_sharing.updated');
  await release();
  await untilLogged('room-1', 'live_location_sharing.updated');
});

/** Puts many old messages into a channel, every tenth as a reply in a thread. */
const fill = (database: pg.Client, cid: string, count: number) =>
  database.query(
    `insert into messages (id, cid, user_id, text, type, parent_id, number, seq, created_at, updated_at)
     select 'big-' || seq || '-' || n, cid, 'ana', 'old', 'regular',
       case when n % 10 = 0 then 'parent' end, 0, seq, now() - interval '1 day', now()
     from channels, generate_series(1, $2::int) as n where cid = $1`,
    [cid, count],
  );

const untilCompleted = async (id: string) => {
  const server = await chat.as();
  await vi.waitFor(async () => {
    const task = await server.call('GET /tasks/{id}', { path: { id } });
    expect(task.status).toBe('completed');
  });
};

test('M14 a truncate of many messages hides all of them at once, and a task removes them while the channel is free', async () => {
  const database = new pg.Client({ connectionString: chat.databaseUrl });
  await database.connect();
  const cid = 'messaging:room-6';
  const path = { type: 'messaging', id: 'room-6' };
  const server = await chat.as();
  const ana = await chat.as('ana');
  const { client: bo } = await chat.connect('bo');
  await bo.channels.open('messaging', 'room-6');
  await send('room-6', { id: 'parent', text: 'unicorn parent' });
  await send('room-6', { id: 'reply', text: 'unicorn reply', parent_id: 'parent' }, 'bo');
  await server.call('PATCH /messages/{id}', { path: { id: 'parent' }, body: { set: { pinned: true } } });
  await fill(database, cid, 3500);
  // Another's lock on one old message stops the removal for as long as it lasts.
  await database.query('begin');
  await database.query(`select id from messages where cid = $1 and text = 'old' limit 1 for update`, [cid]);

  const { task_id = '' } = await server.call('POST /channels/{type}/{id}/truncate', { path, body: {} });

  await until(() => bo.channels.state(cid).get()?.messages.length === 0, 'the empty channel at Bo');
  const { rows: kept } = await database.query('select count(*)::int as count from messages where cid = $1', [
    cid,
  ]);
  expect(kept[0].count).toBeGreaterThan(2500);
  const state = await ana.call('POST /channels/{type}/{id}/query', { path, body: { state: true } });
  expect(state).toMatchObject({ messages: [], pinned_messages: [] });
  for (const id of ['parent', 'reply']) expect((await ana.raw('GET', `/messages/${id}`)).status).toBe(404);
  expect((await ana.raw('GET', '/messages/parent/replies')).status).toBe(404);
  const around = await ana.raw('POST', `/channels/messaging/room-6/query`, {
    body: JSON.stringify({ messages: { created_at_around: new Date().toISOString(), limit: 10 } }),
  });
  expect(around.body).toMatchObject({ messages: [] });
  const found = await ana.raw('POST', '/search', {
    body: JSON.stringify({ filter: { cid }, query: 'unicorn' }),
  });
  expect(JSON.stringify(found.body)).not.toContain('unicorn parent');
  const threads = await ana.raw('POST', '/threads', { body: '{}' });
  expect(JSON.stringify(threads.body)).not.toContain('unicorn');
  expect((await ana.call('GET /unread', {})).total_unread_threads_count).toBe(0);
  expect((await send('room-6', { id: 'parent', text: 'again' })).status).toBe(409);
  expect((await send('room-6', { text: 'x', parent_id: 'parent' })).status).toBe(400);
  expect((await send('room-6', { id: 'after', text: 'after' })).status).toBe(201);

  await database.query('commit');
  await untilCompleted(task_id);
  const left = await database.query('select id from messages where cid = $1', [cid]);
  expect(left.rows).toEqual([{ id: 'after' }]);
  const log = await database.query('select min(seq)::int as seq from events where cid = $1', [cid]);
  const floor = await database.query('select log_floor::int as seq from channels where cid = $1', [cid]);
  expect(log.rows[0].seq).toBe(floor.rows[0].seq + 1);
  await database.end();
});

test('M14 the rest of a truncate that a dead server left is removed by the next one', async () => {
  const database = new pg.Client({ connectionString: chat.databaseUrl });
  await database.connect();
  const cid = 'messaging:room-5';
  await fill(database, cid, 2500);
  const { rows } = await database.query(
    'update channels set emptied_seq = seq, log_floor = seq where cid = $1 returning log_id as "logId", seq::int as "upTo"',
    [cid],
  );
  // The state that a server leaves when it dies in the middle: a task that is taken, with a lease that is over.
  await database.query(
    `insert into tasks (id, kind, input, status, attempts, leased_until, created_at, updated_at)
     values ('left-over', 'empty-channel', $1, 'running', 1, now() - interval '1 minute', now(), now())`,
    [JSON.stringify({ cid, ...rows[0] })],
  );

  await untilCompleted('left-over');

  const left = await database.query('select id from messages where cid = $1', [cid]);
  expect(left.rows).toEqual([]);
  await database.end();
});

test('M14 a truncate whose connection to the database breaks goes on', async () => {
  const database = new pg.Client({ connectionString: chat.databaseUrl });
  await database.connect();
  const cid = 'messaging:room-3';
  const server = await chat.as();
  await fill(database, cid, 2500);
  await database.query('begin');
  await database.query(`select id from messages where cid = $1 and text = 'old' limit 1 for update`, [cid]);
  const path = { type: 'messaging', id: 'room-3' };
  const { task_id = '' } = await server.call('POST /channels/{type}/{id}/truncate', { path, body: {} });

  const other = new pg.Client({ connectionString: chat.databaseUrl });
  await other.connect();
  const cut = async () => {
    const { rows } = await other.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%delete from%messages%'`,
    );
    expect(rows).toHaveLength(1);
  };
  await vi.waitFor(cut);
  await database.query('commit');

  await untilCompleted(task_id);
  const left = await database.query(`select id from messages where cid = $1 and text = 'old'`, [cid]);
  expect(left.rows).toEqual([]);
  await database.end();
  await other.end();
});

test('M14 a large channel that is deleted for good is gone at once, and nothing of it stays', async () => {
  const database = new pg.Client({ connectionString: chat.databaseUrl });
  await database.connect();
  const cid = 'messaging:room-4';
  const server = await chat.as();
  await fill(database, cid, 2500);
  await database.query('begin');
  await database.query(`select id from messages where cid = $1 limit 1 for update`, [cid]);

  const { task_id } = await server.call('POST /channels/delete', {
    body: { cids: [cid], hard_delete: true },
  });
  await vi.waitFor(async () => expect((await send('room-4', { text: 'x' })).status).toBe(404));
  await database.query('commit');
  await untilCompleted(task_id);

  for (const table of ['messages', 'events', 'members', 'channels']) {
    const rest = await database.query(`select cid from ${table} where cid = $1`, [cid]);
    expect(rest.rows).toEqual([]);
  }
  await database.end();
});

test('M4 pins, mutes and polls end in free channels while another channel is held', async () => {
  const database = new pg.Client({ connectionString: chat.databaseUrl });
  await database.connect();
  const ana = await chat.as('ana');
  const server = await chat.as();
  const soon = () => new Date(Date.now() + 300).toISOString();
  for (const room of ['held', 'room-11']) await send(room, { id: `pinned-${room}`, text: 'pinned' });
  const { poll } = await ana.call('POST /polls', { body: { name: 'Tea?', options: [{ text: 'Yes' }] } });
  await send('room-11', { id: 'asked', poll_id: poll.id });
  const release = await hold('messaging:held');
  for (const room of ['held', 'room-11'])
    await database.query('update messages set pinned_at = now(), pin_expires = $2 where id = $1', [
      `pinned-${room}`,
      soon(),
    ]);
  await database.query('update polls set end_at = now() where id = $1', [poll.id]);
  await database.query(
    `update members set muted_at = now(), muted_until = now() where user_id = 'bo' and cid in ('messaging:held', 'messaging:room-11')`,
  );

  const left = async () => {
    const pins = await database.query('select id from messages where pinned_at is not null');
    const mutes = await database.query('select cid from members where muted_until is not null');
    const polls = await database.query('select id from polls where id = $1 and not is_closed', [poll.id]);
    return [...pins.rows.map(({ id }) => id), ...mutes.rows.map(({ cid }) => cid), ...polls.rows];
  };
  await vi.waitFor(async () => expect(await left()).toEqual(['pinned-held', 'messaging:held']));
  await release();
  await vi.waitFor(async () => expect(await left()).toEqual([]));
  expect((await server.raw('GET', '/messages/pinned-held')).body).toMatchObject({
    message: { pinned: false },
  });
  await database.end();
});

test('M4 scheduled messages are sent to free channels while another channel is held, and to that one once it is free', async () => {
  const ana = await chat.as('ana');
  const database = new pg.Client({ connectionString: chat.databaseUrl });
  await database.connect();
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const schedule = (room: string, id: string) =>
    ana.call('POST /channels/{type}/{id}/scheduled_messages', {
      path: { type: 'messaging', id: room },
      body: { message: { id, text: id }, send_at },
    });
  const fallDue = (ids: string[]) =>
    database.query('update scheduled_messages set send_at = now() where id = any($1)', [ids]);
  const statusOf = async (id: string) => (await ana.raw('GET', `/messages/${id}`)).status;
  // The job finds within five seconds what fell due behind its back.
  const untilSent = (id: string) =>
    vi.waitFor(async () => expect(await statusOf(id)).toBe(200), { timeout: 10_000 });
  const late = ['later-1', 'later-2', 'later-3'];
  for (const id of late) await schedule('held', id);
  await schedule('room-8', 'free-1');
  await schedule('room-7', 'free-2');
  const release = await hold('messaging:held');

  await fallDue([...late, 'free-1']);
  await untilSent('free-1');
  await fallDue(['free-2']);
  await untilSent('free-2');
  // Nobody sends them at this moment, so their author may still cancel one.
  await ana.call('DELETE /scheduled_messages/{id}', { path: { id: 'later-2' } });
  expect(await Promise.all(late.map(statusOf))).toEqual([404, 404, 404]);

  await release();
  await untilSent('later-3');
  expect(await Promise.all(late.map(statusOf))).toEqual([200, 404, 200]);
  await database.end();
});
