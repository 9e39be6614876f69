import { createTestChat, createTestClock, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const hour = 3_600_000;
const clock = createTestClock();
const at = (ms: number): string => new Date(clock.now() + ms).toISOString();

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'], overrides: { clock } });
});
afterAll(() => chat.stop());

let count = 0;
/** A room of Ana and Bo with one message of Bo. */
const makeMessage = async (text = 'Look at the build'): Promise<{ id: string; cid: string }> => {
  const path = { type: 'messaging', id: `remind-${count++}` };
  const bo = await chat.as('bo');
  await bo.call('POST /channels/{type}/{id}/query', { path, body: { data: { members: ['ana', 'bo'] } } });
  const { message } = await bo.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text } },
  });
  return { id: message.id, cid: `${path.type}:${path.id}` };
};

test('P4 a reminder is set with a time, changed, found and deleted; every device of its owner is notified of it', async () => {
  const { id, cid } = await makeMessage();
  const ana = await chat.as('ana');
  const { client } = await chat.connect('ana');
  const other = await chat.connect('bo');
  const received: string[] = [];
  const foreign: string[] = [];
  client.on('all', ({ type }) => type.startsWith('reminder.') && received.push(type));
  other.client.on('all', ({ type }) => type.includes('reminder') && foreign.push(type));
  const path = { id };

  const { reminder } = await ana.call('POST /messages/{id}/reminders', {
    path,
    body: { remind_at: at(hour), note: '  ask Bo  ' },
  });
  expect(reminder).toMatchObject({
    message_id: id,
    cid,
    user_id: 'ana',
    remind_at: at(hour),
    note: 'ask Bo',
  });
  expect(reminder.message).toMatchObject({ id, text: 'Look at the build' });
  const changed = await ana.call('PATCH /messages/{id}/reminders', {
    path,
    body: { remind_at: at(2 * hour) },
  });
  expect(changed.reminder).toMatchObject({ remind_at: at(2 * hour), note: 'ask Bo' });
  const found = await ana.call('POST /reminders/query', { body: { filter: { cid } } });
  expect(found.reminders).toEqual([changed.reminder]);
  await ana.call('DELETE /messages/{id}/reminders', { path });

  expect((await ana.call('POST /reminders/query', { body: { filter: { cid } } })).reminders).toEqual([]);
  await until(() => received.length === 3, 'the events');
  expect(received).toEqual(['reminder.created', 'reminder.updated', 'reminder.deleted']);
  expect(foreign).toEqual([]);
});

test('P4 without a time a message is saved for later; a time may be added and taken away', async () => {
  const { id, cid } = await makeMessage();
  const ana = await chat.as('ana');
  const path = { id };
  const of = async (filter: Record<string, unknown>) =>
    (await ana.call('POST /reminders/query', { body: { filter: { cid, ...filter } } })).reminders.length;

  const { reminder } = await ana.call('POST /messages/{id}/reminders', { path, body: {} });
  expect(reminder.remind_at).toBeUndefined();
  expect(await of({ remind_at: { $exists: false } })).toBe(1);
  await ana.call('PATCH /messages/{id}/reminders', { path, body: { remind_at: at(hour), note: 'soon' } });
  expect([await of({ remind_at: { $gt: at(0) } }), await of({ remind_at: null })]).toEqual([1, 0]);
  const cleared = await ana.call('PATCH /messages/{id}/reminders', {
    path,
    body: { remind_at: null, note: null },
  });

  expect(cleared.reminder).not.toHaveProperty('remind_at');
  expect(cleared.reminder).not.toHaveProperty('note');
});

test('P4 a reminder is on the message in replies to its owner, and nowhere else', async () => {
  const { id } = await makeMessage();
  const [ana, bo] = [await chat.as('ana'), await chat.as('bo')];
  const path = { id };
  await ana.call('POST /messages/{id}/reminders', { path, body: { remind_at: at(hour) } });

  const own = await ana.call('GET /messages/{id}', { path });
  const theirs = await bo.call('GET /messages/{id}', { path });

  expect(own.message.reminder).toMatchObject({ message_id: id, remind_at: at(hour) });
  expect(theirs.message).not.toHaveProperty('reminder');
});

test('P4 the same again is the same reminder; another time is for a change', async () => {
  const { id } = await makeMessage();
  const ana = await chat.as('ana');
  const body = JSON.stringify({ remind_at: at(hour) });
  const post = (text: string) => ana.raw('POST', `/messages/${id}/reminders`, { body: text });

  const [first, again, other] = [
    await post(body),
    await post(body),
    await post(JSON.stringify({ remind_at: at(2 * hour) })),
  ];

  expect([first.status, again.status, other.status]).toEqual([201, 200, 409]);
  expect(again.body).toEqual(first.body);
  expect(other.body).toMatchObject({ code: 6, details: [{ path: 'message_id' }] });
});

test('P4 ten devices that set one at once make one reminder', async () => {
  const { id, cid } = await makeMessage();
  const ana = await chat.as('ana');
  const body = JSON.stringify({ remind_at: at(hour) });

  const replies = await Promise.all(
    Array.from({ length: 10 }, () => ana.raw('POST', `/messages/${id}/reminders`, { body })),
  );

  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter(({ status }) => status >= 500)).toHaveLength(0);
  expect((await ana.call('POST /reminders/query', { body: { filter: { cid } } })).reminders).toHaveLength(1);
});

test.each<[string, unknown, string]>([
  ['the past', { remind_at: '2020-01-01T00:00:00.000Z' }, 'remind_at'],
  ['this very moment', { remind_at: at(0) }, 'remind_at'],
  ['no time at all', { remind_at: 'tomorrow' }, 'remind_at'],
  ['a day that is none', { remind_at: '2030-02-30T00:00:00.000Z' }, 'remind_at'],
  ['a number', { remind_at: 1_900_000_000_000 }, 'remind_at'],
  ['a note without end', { note: 'x'.repeat(1001) }, 'note'],
  ['a key nobody knows', { when: at(hour) }, 'when'],
])('P4 %s is refused by the name of its field, and nothing is kept', async (_title, body, field) => {
  const { id, cid } = await makeMessage();
  const ana = await chat.as('ana');

  const created = await ana.refused('POST /messages/{id}/reminders', { path: { id }, body });
  await ana.call('POST /messages/{id}/reminders', { path: { id }, body: {} });
  const changed = await ana.refused('PATCH /messages/{id}/reminders', { path: { id }, body });

  for (const refusal of [created, changed]) {
    expect(refusal.code).toBe(4);
    expect(refusal.details?.[0]?.path).toContain(field);
  }
  const { reminders } = await ana.call('POST /reminders/query', { body: { filter: { cid } } });
  expect(reminders).toMatchObject([{ message_id: id }]);
  expect(reminders[0]).not.toHaveProperty('remind_at');
});

test('P4 only for messages one can see, and only the own', async () => {
  const { id, cid } = await makeMessage();
  const [ana, cy] = [await chat.as('ana'), await chat.as('cy')];
  const body = { remind_at: at(hour) };
  await ana.call('POST /messages/{id}/reminders', { path: { id }, body });

  const stranger = await cy.refused('POST /messages/{id}/reminders', { path: { id }, body });
  const change = await cy.refused('PATCH /messages/{id}/reminders', { path: { id }, body });
  const removal = await cy.refused('DELETE /messages/{id}/reminders', { path: { id } });
  const none = await ana.refused('POST /messages/{id}/reminders', { path: { id: 'no-such' }, body });
  const bo = await (await chat.as('bo')).refused('DELETE /messages/{id}/reminders', { path: { id } });

  expect([stranger.code, change.code, removal.code, none.code, bo.code]).toEqual([17, 17, 16, 16, 16]);
  expect((await ana.call('POST /reminders/query', { body: { filter: { cid } } })).reminders).toHaveLength(1);
});

test('P4 a deleted message takes no reminder; a hard delete takes its reminders along', async () => {
  const [soft, hard] = [await makeMessage(), await makeMessage()];
  const [ana, server] = [await chat.as('ana'), await chat.as()];
  await ana.call('POST /messages/{id}/reminders', { path: { id: hard.id }, body: {} });
  await server.call('DELETE /messages/{id}', { path: { id: soft.id } });
  await server.call('DELETE /messages/{id}', { path: { id: hard.id }, query: { hard: 'true' } });

  const refusal = await ana.refused('POST /messages/{id}/reminders', { path: { id: soft.id }, body: {} });

  expect(refusal.code).toBe(16);
  expect(
    (await ana.call('POST /reminders/query', { body: { filter: { cid: hard.cid } } })).reminders,
  ).toEqual([]);
});

test('P4 a user who may no longer read a channel finds no reminders of it, and is notified of none', async () => {
  const { id, cid } = await makeMessage();
  const [ana, server] = [await chat.as('ana'), await chat.as()];
  const { client } = await chat.connect('ana');
  const due: string[] = [];
  client.on('notification.reminder_due', ({ reminder }) => due.push(reminder.message_id));
  const seen = await makeMessage();
  for (const message of [id, seen.id])
    await ana.call('POST /messages/{id}/reminders', { path: { id: message }, body: { remind_at: at(1000) } });
  const [type = '', channel = ''] = cid.split(':');
  await server.call('POST /channels/{type}/{id}', {
    path: { type, id: channel },
    body: { remove_members: ['ana'] },
  });

  clock.advance(1000);
  await until(() => due.length > 0, 'the reminder that may be shown');

  expect(due).toEqual([seen.id]);
  expect((await ana.call('POST /reminders/query', { body: { filter: { cid } } })).reminders).toEqual([]);
});

test('P4 a due one is published once, at its time and not before; a new time makes it due again', async () => {
  const { id } = await makeMessage();
  const ana = await chat.as('ana');
  const { client } = await chat.connect('ana');
  const due: unknown[] = [];
  client.on('notification.reminder_due', ({ reminder }) => due.push(reminder));
  await ana.call('POST /messages/{id}/reminders', {
    path: { id },
    body: { remind_at: at(2000), note: 'now' },
  });

  clock.advance(1999);
  await ana.call('GET /messages/{id}', { path: { id } });
  expect(due).toEqual([]);
  clock.advance(1);
  await until(() => due.length === 1, 'the reminder');
  expect(due[0]).toMatchObject({ message_id: id, note: 'now', notified_at: at(0), message: { id } });
  for (let step = 0; step < 5; step++) {
    clock.advance(6000);
    await ana.call('GET /messages/{id}', { path: { id } });
  }
  expect(due).toHaveLength(1);

  await ana.call('PATCH /messages/{id}/reminders', { path: { id }, body: { remind_at: at(1000) } });
  await vi.waitFor(() => {
    clock.advance(500);
    expect(due).toHaveLength(2);
  });
});

test('P4 pages and filters: upcoming, overdue and saved, nobody else’s', async () => {
  const ana = await chat.as('bo');
  const ids: string[] = [];
  for (let index = 0; index < 5; index++) {
    const { id } = await makeMessage(`m${index}`);
    ids.push(id);
    const body = index === 4 ? {} : { remind_at: at((4 - index) * hour) };
    await ana.call('POST /messages/{id}/reminders', { path: { id }, body });
  }
  const page = (next?: string) =>
    ana.call('POST /reminders/query', { body: { limit: 2, ...(next ? { next } : {}) } });

  const first = await page();
  const second = await page(first.next);
  const third = await page(second.next);

  const order = [first, second, third].flatMap(({ reminders }) =>
    reminders.map(({ message_id }) => message_id),
  );
  expect(order).toEqual([ids[3], ids[2], ids[1], ids[0], ids[4]]);
  expect(third.next).toBeUndefined();
  const soon = { remind_at: { $lte: at(2 * hour) } };
  expect((await ana.call('POST /reminders/query', { body: { filter: soon } })).reminders).toHaveLength(2);
  expect(await ana.refused('POST /reminders/query', { body: { filter: { user_id: 'ana' } } })).toMatchObject({
    code: 4,
  });
});

test('P4 a server acts for a user it names, and must name one', async () => {
  const { id } = await makeMessage();
  const server = await chat.as();

  const refusal = await server.refused('POST /messages/{id}/reminders', { path: { id }, body: {} });
  const { reminder } = await server.call('POST /messages/{id}/reminders', {
    path: { id },
    query: { user_id: 'ana' },
    body: {},
  });

  expect(refusal).toMatchObject({ code: 4, details: [{ path: 'user_id' }] });
  expect(reminder.user_id).toBe('ana');
});
