import { until } from '@parley/testkit';
import { expect, test } from 'vitest';
import { createServerGroup } from './server-group.ts';
import type { ServerProcess } from './server-process.ts';

// There is no bus between servers yet. What the database holds together must hold all the same: numbers, ids, and who may write.
const group = createServerGroup();

const makeRoom = async ({ call }: ServerProcess, id: string): Promise<void> => {
  await call('POST', '/users', { users: { ana: { id: 'ana' }, bo: { id: 'bo' } } });
  const data = { created_by_id: 'ana', members: ['ana', 'bo'] };
  await call('POST', `/channels/messaging/${id}/query`, { data });
};
const send = ({ call }: ServerProcess, room: string, id: string, user = 'ana') =>
  call('POST', `/channels/messaging/${room}/message`, { message: { id, text: id } }, user);

type LogEvent = { type: string; seq: number; message?: { id: string; number: number } };
const readLog = async ({ call }: ServerProcess, room: string): Promise<LogEvent[]> => {
  const events: LogEvent[] = [];
  for (let isMore = true; isMore; ) {
    const cursors = { [`messaging:${room}`]: events.at(-1)?.seq ?? 0 };
    const { body } = await call('POST', '/sync', { cursors }, 'ana');
    const page = body as { events: LogEvent[]; more?: string[] };
    events.push(...page.events);
    isMore = (page.more ?? []).length > 0;
  }
  return events;
};

type Outcome = { acknowledged: string[]; inDoubt: string[] };
/** Several writers in one room, until all has been sent or the server is gone. */
const load = async (server: ServerProcess, room: string, name: string, outcome: Outcome): Promise<void> => {
  const writer = async (number: number) => {
    for (let index = 0; index < 40; index++) {
      const id = `${name}-${number}-${index}`;
      const status = await send(server, room, id).then(
        (reply) => reply.status,
        () => 0,
      );
      (status === 201 ? outcome.acknowledged : outcome.inDoubt).push(id);
      if (status === 0) return;
    }
  };
  await Promise.all([0, 1, 2, 3].map(writer));
};

/** A long-poll connection that watches the room; `ids` are the messages that it got. */
const openPoll = async ({ call }: ServerProcess, room: string) => {
  const opened = await call('POST', '/longpoll', { payload: { user_id: 'bo' } }, 'bo');
  const { connection_id } = opened.body as { connection_id: string };
  const query = `connection_id=${connection_id}`;
  await call('POST', `/channels/messaging/${room}/query?${query}`, { watch: true, state: true }, 'bo');
  const ids: string[] = [];
  let ack = 0;
  return {
    ids,
    poll: async () => {
      const { body } = await call('POST', '/longpoll', { connection_id, ack }, 'bo');
      const { events, last = ack } = body as { events: LogEvent[]; last?: number };
      ack = last;
      for (const { type, message } of events) if (type === 'message.new' && message) ids.push(message.id);
    },
    close: () => call('DELETE', `/longpoll?${query}`, undefined, 'bo'),
  };
};

test('W4 of two servers that write to one channel one is killed: nothing acknowledged is lost, nothing doubled, no number skipped', async () => {
  const [one, two] = await Promise.all([group.take(), group.take()]);
  await makeRoom(one, 'shared');
  const polled = await openPoll(two, 'shared');
  const [dying, living]: [Outcome, Outcome] = [
    { acknowledged: [], inDoubt: [] },
    { acknowledged: [], inDoubt: [] },
  ];

  // A connection that does not poll for 40 s is ended: it polls from the beginning, and a last message ends its last wait.
  let isLast = false;
  const received = () => isLast && living.acknowledged.every((id) => polled.ids.includes(id));
  const polling = (async () => {
    while (!received()) await polled.poll();
  })();
  const writing = [load(one, 'shared', 'one', dying), load(two, 'shared', 'two', living)];
  await until(() => dying.acknowledged.length >= 40, 'the load');
  await group.kill(one);
  await Promise.all(writing);
  expect(living.inDoubt).toEqual([]);
  for (const id of dying.inDoubt) expect([200, 201]).toContain((await send(two, 'shared', id)).status);
  isLast = true;
  expect((await send(two, 'shared', 'last')).status).toBe(201);
  living.acknowledged.push('last');
  const third = await group.take();
  for (const id of dying.inDoubt) expect((await send(third, 'shared', id)).status).toBe(200);

  const events = await readLog(third, 'shared');
  const messages = events.flatMap(({ message }) => message ?? []);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(messages.map(({ number }) => number)).toEqual(messages.map((_, index) => index + 1));
  const sent = [...dying.acknowledged, ...dying.inDoubt, ...living.acknowledged];
  expect(messages.map(({ id }) => id).sort()).toEqual(sent.sort());
  await polling;
  expect(new Set(polled.ids).size).toBe(polled.ids.length);
  await polled.close();
});

test.each([
  ['removed', '/channels/messaging/removed', { remove_members: ['bo'] }],
  ['frozen', '/channels/messaging/frozen', { data: { frozen: true } }],
])('W4 a change at one server holds at the other for the next send: %s', async (room, path, body) => {
  const [one, two] = await Promise.all([group.take(), group.take()]);
  await makeRoom(one, room);
  // The second server has cached the room, the membership and the token: its sends take the short way.
  for (const id of [1, 2]) expect((await send(two, room, `${room}-${id}`, 'bo')).status).toBe(201);

  expect((await one.call('POST', path, body)).status).toBeLessThan(300);

  for (const id of [3, 4]) expect((await send(two, room, `${room}-${id}`, 'bo')).status).toBe(403);
  const atOnce = await Promise.all([5, 6, 7].map((id) => send(two, room, `${room}-${id}`, 'bo')));
  expect(atOnce.map(({ status }) => status)).toEqual([403, 403, 403]);
});
