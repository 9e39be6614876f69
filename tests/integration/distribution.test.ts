import { systemClock } from '@parley/server';
import { createTestChat, until } from '@parley/testkit';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';

/** The tables that grow with the traffic, and the columns by which an engine that shards PostgreSQL can spread each. */
const hotTables = new Map([
  ['channels', ['cid']],
  ['members', ['cid', 'user_id']],
  ['messages', ['cid']],
  ['events', ['cid']],
  ['reactions', ['message_id', 'user_id']],
  ['pending_messages', ['cid', 'user_id']],
  ['send_times', ['cid', 'user_id']],
  ['threads', ['cid', 'parent_id']],
  ['thread_reads', ['user_id', 'parent_id']],
  ['drafts', ['cid', 'user_id']],
  ['users', ['id']],
]);

/** Ids of messages are unique in the whole app, and clients choose them: whether one is new can be asked by the id alone. These
 * statements also look among the ids of deleted messages. */
const asksForNewIds = (text: string): boolean => text.includes('gone_message_ids');
const foundByNewId = ['messages', 'pending_messages'];

/** The indexing of words runs beside the calls, for all channels together. */
const isOfIndexing = (text: string): boolean => text.includes('delete from search_queue');

const tableUse = /\b(?:from|join|into|update)\s+"?([a-z_]+)"?/gi;

/** Where the bracket that opens at `start` closes. */
const closeOf = (text: string, start: number): number => {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return text.length;
};

/** The query that a place of the text is in, without the queries inside it. */
const queryAround = (text: string, place: number): string => {
  let start = 0;
  let end = text.length;
  for (let at = text.indexOf('('); at !== -1 && at < place; at = text.indexOf('(', at + 1)) {
    const close = closeOf(text, at);
    if (close > place) [start, end] = [at + 1, close];
  }
  let query = '';
  for (let at = start; at < end; at++) {
    if (/^\(\s*select\b/i.test(text.slice(at, at + 20))) at = closeOf(text, at);
    else query += text[at];
  }
  return query;
};

const isKeyed = (query: string, table: string, keys: readonly string[]): boolean =>
  keys.some((key) =>
    [
      `"?\\b${key}\\b"?\\s*(?:=|in\\b)`,
      `=\\s*(?:"?\\w+"?\\.)?"?${key}\\b`,
      `using\\s*\\([^)]*\\b${key}\\b`,
      `into\\s+"?${table}"?\\s*\\([^)]*\\b${key}\\b`,
    ].some((pattern) => new RegExp(pattern, 'i').test(query)),
  );

/** The hot tables that a statement uses without a key of distribution among its conditions. */
const undistributed = (text: string): string[] =>
  [...text.matchAll(tableUse)].flatMap((use) => {
    const table = use[1] ?? '';
    const keys = hotTables.get(table);
    if (!keys || isKeyed(queryAround(text, use.index), table, keys)) return [];
    return asksForNewIds(text) && foundByNewId.includes(table) ? [] : [table];
  });

test.each([
  ['select text from messages where id = $1', ['messages']],
  ['select text from messages where cid = $1 and id = $2', []],
  ['select 1 from channels where cid = $1 and exists (select from messages where id = $2)', ['messages']],
  ['insert into events (cid, seq) values ($1, $2)', []],
  ['update members set data = t.data from unnest($1::text[]) as t (cid) where members.cid = t.cid', []],
  ['select 1 from messages where seq > (select seq from channels c where c.cid = $1)', ['messages']],
])('W4 the key of %s is found, or missed', (text, missing) => {
  expect(undistributed(text)).toEqual(missing);
});

const textOf = (query: unknown): string =>
  typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : String(query);

/** The texts of the statements that are run from now on, until the end of the test. */
const recordStatements = (): Set<string> => {
  const texts = new Set<string>();
  const { query } = pg.Client.prototype;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    texts.add(textOf(given[0]));
    return Reflect.apply(query, this, given);
  });
  onTestFinished(() => spy.mockRestore());
  return texts;
};

test('W4 every statement of sending, reading pages and syncing names the channel or the user', async () => {
  await using chat = await createTestChat({ users: ['ana', 'bo'] });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
  await chat.admin.channels.create('messaging', 'slow', {
    ...{ created_by_id: 'ana', members: ['ana', 'bo'] },
    cooldown: 60,
  });
  const { client } = await chat.connect('bo');
  const ana = await chat.as('ana');
  const bo = await chat.as('bo');
  const path = { type: 'messaging', id: 'room' };
  const send = async (message: { text: string; parent_id?: string; quoted_message_id?: string }) =>
    (await ana.call('POST /channels/{type}/{id}/message', { path, body: { message } })).message;
  const first = await send({ text: 'one' });
  const reaction = { type: 'ok' };
  await bo.call('POST /messages/{id}/reaction', { path: { id: first.id }, body: { reaction } });

  const texts = recordStatements();
  await client.channels.open('messaging', 'room');
  await send({ text: 'two' });
  await Promise.all(Array.from({ length: 5 }, (_, n) => send({ text: `three ${n}` })));
  await send({ text: 'a reply', parent_id: first.id });
  await send({ text: 'a quote', quoted_message_id: first.id });
  const slow = { type: 'messaging', id: 'slow' };
  await bo.call('POST /channels/{type}/{id}/message', { path: slow, body: { message: { text: 'slowly' } } });
  for (const messages of [{ limit: 2 }, { limit: 2, id_lt: first.id }, { limit: 2, id_around: first.id }])
    await bo.call('POST /channels/{type}/{id}/query', { path, body: { state: true, messages } });
  await bo.call('POST /sync', { body: { cursors: { 'messaging:room': 1 } } });

  expect(texts.size).toBeGreaterThan(15);
  const own = [...texts].filter((text) => !isOfIndexing(text));
  const lacking = own.flatMap((text) => undistributed(text).map((table) => `${table}: ${text}`));
  expect(lacking).toEqual([]);
});

/** The moment at which the first partition of the log ends. */
const endOfPartition = async (databaseUrl: string): Promise<number> => {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const { rows } = await database.query(
    `select substring(pg_get_expr(relpartbound, oid) from 'TO \\(''([^'']+)')::timestamptz as ends
     from pg_class where relname = 'events_before'`,
  );
  await database.end();
  return rows[0].ends.getTime();
};

test('W4 a number of a log is given once, also where the clocks of servers are on two sides of a partition', async () => {
  let time = Date.now();
  let side = 0;
  const now = () => time + side;
  await using chat = await createTestChat({
    users: ['ana', 'bo'],
    overrides: { clock: { ...systemClock, now } },
  });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
  time = await endOfPartition(chat.databaseUrl);
  const [ana, bo] = [await chat.as('ana'), await chat.as('bo')];
  const path = { type: 'messaging', id: 'room' };
  const send = (id: string) =>
    ana.call('POST /channels/{type}/{id}/message', { path, body: { message: { id, text: id } } });
  const react = (type: string, id = 'first') =>
    bo.call('POST /messages/{id}/reaction', { path: { id }, body: { reaction: { type } } });
  side = -1000;
  await send('first');
  for (let round = 0; round < 10; round++) {
    // Each round is half on the clock of another server; calls of a half are at once.
    for (const half of [1000, -1000]) {
      side = half;
      await Promise.all([send(`m-${round}-${half}`), react(`r-${round}-${half}`)]);
    }
  }

  const { events } = await bo.call('POST /sync', { body: { cursors: { 'messaging:room': 1 } } });
  const numbers = events.map((event) => ('seq' in event ? event.seq : 0));
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, n) => n + 2));
  expect(numbers.length).toBeGreaterThanOrEqual(41);
  const database = new pg.Client({ connectionString: chat.databaseUrl });
  await database.connect();
  const { rows } = await database.query(
    'select tableoid::regclass::text as place from events group by 1 order by 1',
  );
  expect(rows.map(({ place }) => place)).toEqual(['events_before', 'events_default']);
  // The last message is from a clock that was days ahead, and the last event from one that was not.
  side = 3 * 24 * 60 * 60 * 1000;
  await send('ahead');
  side = -1000;
  await react('like', 'ahead');
  const at = new Date(now()).toISOString();
  const state = await bo.call('POST /channels/{type}/{id}/query', { path, body: { state: true } });
  expect(state).toMatchObject({ seq_at: at });
  // The later partition is gone, with events between others: a page with a hole would lose them.
  const held = await database.query('select min(seq)::int as seq from events_before where seq > 1');
  await database.query('delete from events_default');
  await database.end();
  const cursors = { 'messaging:room': held.rows[0].seq - 1 };
  const reply = await bo.call('POST /sync', { body: { cursors } });
  expect(reply).toMatchObject({ events: [], resync: ['messaging:room'] });
});

test('W4 a send or reaction that waits while its week gets a partition is not refused', async () => {
  let time = Date.now();
  await using chat = await createTestChat({
    users: ['ana', 'bo'],
    overrides: { clock: { ...systemClock, now: () => time } },
  });
  for (const id of ['room', 'hall'])
    await chat.admin.channels.create('messaging', id, { created_by_id: 'ana', members: ['ana', 'bo'] });
  const end = await endOfPartition(chat.databaseUrl);
  time = end + 1000;
  const ana = await chat.as('ana');
  const send = (id: string, text: string) =>
    ana.call('POST /channels/{type}/{id}/message', {
      path: { type: 'messaging', id },
      body: { message: { id: text, text } },
    });
  await send('hall', 'first');
  const database = new pg.Client({ connectionString: chat.databaseUrl });
  await database.connect();

  // As retention does it.
  await database.query('begin; lock table events_default in access exclusive mode');
  const reaction = { reaction: { type: 'like' } };
  const waiting = Promise.all([
    send('room', 'second'),
    ana.call('POST /messages/{id}/reaction', { path: { id: 'first' }, body: reaction }),
  ]);
  const waits = `select from pg_locks where relation = 'events_default'::regclass and not granted`;
  await until(async () => (await database.query(waits)).rowCount === 2, 'that both wait');
  const week = [end, end + 7 * 24 * 60 * 60 * 1000].map((ms) => `'${new Date(ms).toISOString()}'`);
  await database.query(`
    create table events_week (like events including all, primary key (cid, seq));
    with moved as (delete from events_default returning *) insert into events_week select * from moved;
    alter table events attach partition events_week for values from (${week[0]}) to (${week[1]});
    commit`);
  await waiting;

  const stored = await database.query('select cid, seq::int from events_week order by cid, seq');
  const seqs = stored.rows.map(({ cid, seq }) => `${cid} ${seq}`);
  expect(seqs).toEqual(['messaging:hall 3', 'messaging:hall 4', 'messaging:room 3']);

  // No key is over all partitions: a number that somebody restored twice must not break the channel.
  await database.query(
    `insert into events select cid, seq, created_at + interval '14 days', payload from events_week`,
  );
  await database.end();
  const path = { type: 'messaging', id: 'room' };
  const { messages } = await ana.call('POST /channels/{type}/{id}/query', { path, body: { state: true } });
  expect(messages.map(({ text }) => text)).toEqual(['second']);
  expect(await ana.call('POST /sync', { body: { cursors: { 'messaging:room': 3 } } })).toMatchObject({
    events: [],
  });
});
