import { scheduledMessages } from '@parley/client/scheduled-messages';
import { createTestChat, createTestClock, type TestChat, until } from '@parley/testkit';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';

const clock = createTestClock();
const hour = 3_600_000;
const at = (ms: number): string => new Date(clock.now() + ms).toISOString();

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'], overrides: { clock } });
});
afterAll(() => chat.stop());

let count = 0;
const makeRoom = async () => {
  const path = { type: 'messaging', id: `later-${count++}` };
  const ana = await chat.as('ana');
  await ana.call('POST /channels/{type}/{id}/query', { path, body: { data: { members: ['ana', 'bo'] } } });
  return { ana, path, cid: `${path.type}:${path.id}` };
};
const add = 'POST /channels/{type}/{id}/scheduled_messages' as const;
const updateApp = async (change: { suspended?: boolean; guests_enabled?: boolean }): Promise<void> => {
  await chat.admin.app.update(change);
};
const untilPassed = (ms: number, done: () => void | Promise<void>) =>
  vi.waitFor(async () => {
    clock.advance(ms);
    await done();
  });

test('P4 messages of one channel that fall due together are sent in the order of their times', async () => {
  const { ana, path } = await makeRoom();
  const ids = Array.from({ length: 30 }, (_, index) => `turn-${(index * 7) % 30}`);
  for (const [index, id] of ids.entries())
    await ana.call(add, { path, body: { message: { id, text: id }, send_at: at(1000 + index) } });

  await untilPassed(2000, async () => {
    const { messages } = await ana.call('POST /channels/{type}/{id}/query', { path, body: { state: true } });
    expect(messages.at(-1)?.number).toBe(30);
  });

  const { messages } = await ana.call('POST /channels/{type}/{id}/query', {
    path,
    body: { messages: { limit: 30 } },
  });
  expect(messages.map(({ id }) => id)).toEqual(ids);
});

test('P4 a message that waits in line for longer than its lease is sent as its author left it, or not at all', async () => {
  const { ana, path } = await makeRoom();
  for (const [index, id] of ['line-1', 'line-2', 'line-3'].entries())
    await ana.call(add, { path, body: { message: { id, text: id }, send_at: at(1000 + index) } });
  const database = new pg.Client({ connectionString: chat.databaseUrl });
  await database.connect();
  onTestFinished(() => database.end());
  await database.query('begin; lock table messages in share row exclusive mode');
  clock.advance(1100);
  const waiting = `select from pg_locks where relation = 'messages'::regclass and not granted`;
  await untilPassed(1, async () => expect((await database.query(waiting)).rowCount).toBe(1));
  clock.advance(11_000);
  // Those that only wait use up none of their tries.
  const tries = `select id, attempts from scheduled_messages where id like 'line-%' order by id`;
  expect((await database.query(tries)).rows.map(({ attempts }) => attempts)).toEqual([1, 0, 0]);

  await ana.call('DELETE /scheduled_messages/{id}', { path: { id: 'line-2' } });
  await ana.call('PATCH /scheduled_messages/{id}', { path: { id: 'line-3' }, body: { text: 'changed' } });
  await database.query('commit');

  await untilPassed(1000, async () => {
    const { message } = await ana.call('GET /messages/{id}', { path: { id: 'line-3' } });
    expect(message.text).toBe('changed');
  });
  expect(await ana.refused('GET /messages/{id}', { path: { id: 'line-2' } })).toMatchObject({ code: 16 });
});

test('P4 a message is scheduled, found, changed, and sent once at its time', async () => {
  const { ana, path, cid } = await makeRoom();
  const bo = await chat.connect('bo');
  await bo.client.channels.open(path.type, path.id);
  const received: string[] = [];
  bo.client.on('message.new', ({ message }) => received.push(message.text));
  const { scheduled_message: kept } = await ana.call(add, {
    path,
    body: { message: { text: 'Morning' }, send_at: at(3000) },
  });
  expect(kept).toMatchObject({ cid, user_id: 'ana', status: 'waiting', message: { text: 'Morning' } });
  await ana.call('PATCH /scheduled_messages/{id}', { path: { id: kept.id }, body: { text: 'Good morning' } });
  const { scheduled_messages: found } = await ana.call('POST /scheduled_messages/query', {
    body: { filter: { cid } },
  });
  expect(found).toMatchObject([{ id: kept.id, message: { text: 'Good morning' } }]);

  clock.advance(2999);
  expect(await ana.refused('GET /messages/{id}', { path: { id: kept.id } })).toMatchObject({ code: 16 });
  await untilPassed(1, () => expect(received).toEqual(['Good morning']));
  await vi.waitFor(async () => {
    const rest = await ana.call('POST /scheduled_messages/query', { body: { filter: { cid } } });
    expect(rest.scheduled_messages).toEqual([]);
  });
  for (let step = 0; step < 4; step++) clock.advance(6000);
  expect((await ana.call('GET /messages/{id}', { path: { id: kept.id } })).message.text).toBe('Good morning');
  expect(received).toEqual(['Good morning']);
});

test('P4 the client keeps the list on every device; what is cancelled is not sent', async () => {
  const { ana, cid } = await makeRoom();
  const [one, two] = [await chat.connect('ana'), await chat.connect('ana')];
  const [here, there] = [one.client.feature(scheduledMessages), two.client.feature(scheduledMessages)];
  const textsAt = () =>
    there.all.get().flatMap(({ message, cid: in_ }) => (in_ === cid ? [message.text] : []));

  const kept = await here.add(cid, { text: 'Second' }, at(2 * hour));
  await here.add(cid, { text: 'First' }, at(hour));
  await until(() => textsAt().length === 2, 'both at the other device');
  expect(textsAt()).toEqual(['First', 'Second']);
  await here.change(kept.id, { text: 'Now first', sendAt: at(hour / 2) });
  await until(() => textsAt()[0] === 'Now first', 'the change');
  two.faults.goOffline();
  await here.delete(kept.id);
  two.faults.restore();
  await until(() => textsAt().join() === 'First', 'the rest after the recovery');

  clock.advance(hour / 2);
  expect(await ana.refused('GET /messages/{id}', { path: { id: kept.id } })).toMatchObject({ code: 16 });
});

test('P4 the rules of the time it is sent hold: the author is notified of a refusal, and the text is kept', async () => {
  const { ana, path, cid } = await makeRoom();
  const { client } = await chat.connect('ana');
  const scheduled = client.feature(scheduledMessages);
  const failed: string[] = [];
  scheduled.onFailed(({ error }) => failed.push(error ?? ''));
  const kept = await scheduled.add(cid, { text: 'Too late' }, at(1000));
  const server = await chat.as();
  await server.call('PATCH /channels/{type}/{id}', { path, body: { set: { frozen: true } } });

  await untilPassed(500, () => expect(failed).toHaveLength(1));
  expect(failed[0]).toContain('send-message');
  const [stays] = (await ana.call('POST /scheduled_messages/query', { body: { filter: { cid } } }))
    .scheduled_messages;
  expect(stays).toMatchObject({ id: kept.id, status: 'failed', message: { text: 'Too late' } });

  await server.call('PATCH /channels/{type}/{id}', { path, body: { set: { frozen: false } } });
  await scheduled.change(kept.id, { sendAt: at(1000) });
  await untilPassed(500, async () => {
    await ana.call('GET /messages/{id}', { path: { id: kept.id } });
  });
});

test('P4 the same id again is kept once; an id of a message or of another is refused', async () => {
  const { ana, path } = await makeRoom();
  const bo = await chat.as('bo');
  const id = `own-${count}`;
  const body = { message: { id, text: 'once' }, send_at: at(hour) };
  const raw = () =>
    ana.raw('POST', `/channels/${path.type}/${path.id}/scheduled_messages`, { body: JSON.stringify(body) });

  expect([(await raw()).status, (await raw()).status]).toEqual([201, 200]);
  expect(await bo.refused(add, { path, body })).toMatchObject({ code: 6 });
  const sent = await ana.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'x' } },
  });
  const again = { message: { id: sent.message.id, text: 'x' }, send_at: at(hour) };
  expect(await ana.refused(add, { path, body: again })).toMatchObject({ code: 6 });
});

test.each<[string, Record<string, unknown>, number, string]>([
  ['the past', { send_at: '2020-01-01T00:00:00.000Z' }, 4, 'send_at'],
  ['no time', { send_at: 'soon' }, 4, 'send_at'],
  ['an empty message', { message: { text: ' ' } }, 4, 'message.text'],
  ['too long a text', { message: { text: 'x'.repeat(20_001) } }, 22, 'message.text'],
  ['a thread that is none', { message: { text: 'x', parent_id: 'none' } }, 4, 'message.parent_id'],
])('P4 %s is refused by its name, and nothing is kept', async (_title, given, code, path) => {
  const room = await makeRoom();
  const body = { message: { text: 'fine' }, send_at: at(hour), ...given };

  const refusal = await room.ana.refused(add, { path: room.path, body });

  expect(refusal.code).toBe(code);
  expect(refusal.details?.[0]?.path.replaceAll('/', '.')).toContain(path);
  const { scheduled_messages: none } = await room.ana.call('POST /scheduled_messages/query', {
    body: { filter: { cid: room.cid } },
  });
  expect(none).toEqual([]);
});

test('P4 nobody schedules where they may not write, or touches what another wrote', async () => {
  const { ana, path } = await makeRoom();
  const [bo, cy] = [await chat.as('bo'), await chat.as('cy')];
  const body = { message: { text: 'mine' }, send_at: at(hour) };
  const { scheduled_message: kept } = await ana.call(add, { path, body });

  const stranger = await cy.refused(add, { path, body });
  const change = await bo.refused('PATCH /scheduled_messages/{id}', {
    path: { id: kept.id },
    body: { text: 'his' },
  });
  const removal = await bo.refused('DELETE /scheduled_messages/{id}', { path: { id: kept.id } });

  expect([stranger.code, change.code, removal.code]).toEqual([17, 16, 16]);
  expect((await bo.call('POST /scheduled_messages/query', { body: {} })).scheduled_messages).toEqual([]);
});

test('P4 a message that falls due in a suspended app waits, and is sent after the app is resumed', async () => {
  const { ana, path, cid } = await makeRoom();
  const server = await chat.as();
  const { scheduled_message: kept } = await ana.call(add, {
    path,
    body: { message: { text: 'After the break' }, send_at: at(1000) },
  });
  onTestFinished(() => updateApp({ suspended: false }));
  await updateApp({ suspended: true });
  for (let step = 0; step < 10; step++) {
    clock.advance(6000);
    expect(await server.refused('GET /messages/{id}', { path: { id: kept.id } })).toMatchObject({ code: 16 });
  }
  const { scheduled_messages: waiting } = await server.call('POST /scheduled_messages/query', {
    query: { user_id: 'ana' },
    body: { filter: { cid } },
  });
  expect(waiting).toEqual([kept]);

  const resumedAt = at(0);
  await updateApp({ suspended: false });
  await untilPassed(500, async () => {
    const rest = await ana.call('POST /scheduled_messages/query', { body: { filter: { cid } } });
    expect(rest.scheduled_messages).toEqual([]);
  });

  const { messages } = await ana.call('POST /channels/{type}/{id}/query', { path, body: { state: true } });
  expect(messages).toMatchObject([{ id: kept.id, text: 'After the break' }]);
  expect(Date.parse(messages[0]?.created_at ?? '')).toBeGreaterThanOrEqual(Date.parse(resumedAt));
});

test('P4 a message of a guest is not sent after guests were switched off; it fails with the reason', async () => {
  const { path, cid } = await makeRoom();
  const server = await chat.as();
  const { user } = await server.call('POST /guest', { body: { user: { id: 'visitor' } } });
  await chat.admin.channels.addMembers(cid, [user.id]);
  const guest = await chat.as(user.id);
  const { scheduled_message: kept } = await guest.call(add, {
    path,
    body: { message: { text: 'Still here?' }, send_at: at(1000) },
  });
  onTestFinished(() => updateApp({ guests_enabled: true }));
  await updateApp({ guests_enabled: false });

  await untilPassed(500, async () => {
    const { scheduled_messages: found } = await server.call('POST /scheduled_messages/query', {
      query: { user_id: user.id },
      body: { filter: { cid } },
    });
    expect(found).toMatchObject([{ id: kept.id, status: 'failed', message: { text: 'Still here?' } }]);
    expect(found[0]?.error).toContain('guests_enabled');
  });
  expect(await server.refused('GET /messages/{id}', { path: { id: kept.id } })).toMatchObject({ code: 16 });
});
