import { type Caller, createTestChat, createTestClock, type TestChat, until } from '@parley/testkit';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

// The id of a pending message is reserved (P19). Another connection holds the locks here, so that each race has one order.
const clock = createTestClock();
let chat: TestChat;
let ana: Caller;
let bo: Caller;
let first: pg.Client;
let second: pg.Client;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'], overrides: { clock } });
  for (const id of ['room', 'beside'])
    await chat.admin.channels.create('messaging', id, { created_by_id: 'ana', members: ['ana', 'bo'] });
  [ana, bo] = await Promise.all([chat.as('ana'), chat.as('bo')]);
  [first, second] = [0, 1].map(() => new pg.Client({ connectionString: chat.databaseUrl })) as [
    pg.Client,
    pg.Client,
  ];
  await Promise.all([first.connect(), second.connect()]);
});
afterAll(async () => {
  await Promise.all([first.end(), second.end()]);
  await chat.stop();
});

const room = { type: 'messaging', id: 'room' };
const beside = { type: 'messaging', id: 'beside' };
const send = 'POST /channels/{type}/{id}/message';
const kept = (id: string) => ({ path: room, body: { message: { id, text: 'kept' }, pending: true } });
const hold = (id: string) => ana.call(send, kept(id));
const plain = (id: string, path = room) => ({ path, body: { message: { id, text: 'sent' } } });
const taken = { name: 'DuplicateId', details: [{ path: 'message.id' }] };
const listed = async () => {
  const { pending_messages = [] } = await ana.call('POST /channels/{type}/{id}/query', {
    path: room,
    body: { state: true },
  });
  return pending_messages.map(({ id }) => id);
};
/** Waits until a statement of the server waits for a lock. */
const someWaits = () =>
  until(async () => {
    const { rows } = await first.query(
      "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
    return rows.length > 0;
  }, 'a statement that waits');
/** Stores a message of Bo's with this connection. */
const storeAsBo = (client: pg.Client, id: string, { type, id: channel }: typeof room) =>
  client.query(
    `insert into messages (id, cid, user_id, text, type, number, seq, created_at, updated_at)
      values ($1, $2, 'bo', 'sent', 'regular', 1, 1, now(), now())`,
    [id, `${type}:${channel}`],
  );

test('M12 refused: a message that is kept back while another of its id is stored in its channel', async () => {
  await first.query("begin; select from channels where cid = 'messaging:room' for update");
  const refusal = ana.refused(send, kept('r-1'));
  await someWaits();
  await storeAsBo(first, 'r-1', room);
  await first.query('commit');

  expect(await refusal).toMatchObject(taken);
  expect(await listed()).not.toContain('r-1');
});

test('M12 refused: a message that is kept back while another of its id is stored elsewhere', async () => {
  await second.query('begin');
  await second.query(
    `insert into pending_messages (id, cid, user_id, input, draft, created_at)
      values ('r-2', 'messaging:room', 'ana', '{}', '{}', now())`,
  );
  const refusal = ana.refused(send, kept('r-2'));
  await someWaits();
  await storeAsBo(first, 'r-2', beside);
  await second.query('rollback');

  expect(await refusal).toMatchObject(taken);
  expect(await listed()).not.toContain('r-2');
  expect((await bo.call('GET /messages/{id}', { path: { id: 'r-2' } })).message.user?.id).toBe('bo');
});

test('M12 a message whose id another took at the same moment stays with its author, who can delete it', async () => {
  await first.query('begin');
  await storeAsBo(first, 'r-3', beside);
  await hold('r-3');
  await first.query('commit');

  expect(await listed()).toContain('r-3');
  expect((await ana.call('GET /messages/{id}', { path: { id: 'r-3' } })).message).toMatchObject({
    text: 'kept',
    pending: true,
  });
  expect(await ana.refused('POST /messages/{id}/commit', { path: { id: 'r-3' }, body: {} })).toMatchObject(
    taken,
  );
  await ana.call('DELETE /messages/{id}', { path: { id: 'r-3' } });
  expect(await listed()).not.toContain('r-3');
  expect((await bo.call('GET /messages/{id}', { path: { id: 'r-3' } })).message.text).toBe('sent');
});

test('M12 refused: a plain send of the author under the id; the commit then publishes what was kept', async () => {
  await hold('r-4');

  for (const refusal of await Promise.all([1, 2, 3].map(() => ana.refused(send, plain('r-4')))))
    expect(refusal).toMatchObject(taken);
  expect(await ana.refused(send, plain('r-4'))).toMatchObject(taken);
  const { message } = await ana.call('POST /messages/{id}/commit', { path: { id: 'r-4' }, body: {} });
  expect(message).toMatchObject({ id: 'r-4', text: 'kept' });
  expect((await ana.call(send, plain('r-4'))).message.text).toBe('kept');
  const { rows } = await first.query("select from pending_messages where id = 'r-4'");
  expect(rows).toHaveLength(0);
});

test('M12 of a commit and a delete at once, one sees the other: nothing deleted is published', async () => {
  for (let round = 0; round < 8; round++) {
    const id = `both-${round}`;
    await hold(id);
    const asked = { path: { id } };
    await Promise.all([
      ana.raw('POST', `/messages/${id}/commit`, { body: '{}' }),
      ana.call('DELETE /messages/{id}', asked),
    ]);
    const { status, body } = await bo.raw('GET', `/messages/${id}`);
    expect(status === 404 || (body as { message: { type: string } }).message.type === 'deleted').toBe(true);
    expect(await listed()).not.toContain(id);
  }
});

const schedule = 'POST /channels/{type}/{id}/scheduled_messages';
const later = (id: string, ms: number) => ({
  path: room,
  body: { message: { id, text: 'later' }, send_at: new Date(clock.now() + ms).toISOString() },
});
const failed = async (id: string) => {
  const { scheduled_messages } = await ana.call('POST /scheduled_messages/query', {
    body: { filter: { id } },
  });
  return scheduled_messages.map(({ status }) => status);
};

test('P4 refused: a scheduled message with a reserved id; one with an id of its own is taken', async () => {
  await hold('r-5');

  expect(await bo.refused(schedule, later('r-5', 60_000))).toMatchObject(taken);
  expect(await ana.refused(schedule, later('r-5', 60_000))).toMatchObject(taken);
  await ana.call(schedule, later('r-6', 600_000));
});

test('P4 a scheduled message whose id is taken at its time fails, and is not counted as sent', async () => {
  await ana.call(schedule, later('r-7', 3000));
  await ana.call(schedule, later('r-8', 3000));
  await hold('r-7');
  await bo.call(send, plain('r-8', beside));

  await vi.waitFor(async () => {
    clock.advance(1000);
    expect([await failed('r-7'), await failed('r-8')]).toEqual([['failed'], ['failed']]);
  });
  expect(await listed()).toContain('r-7');
});
