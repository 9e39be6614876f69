import { until } from '@parley/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createServerGroup } from './server-group.ts';
import { apiKey, type ServerProcess, tokenFor } from './server-process.ts';
import { connectFrame, openSocket } from './support.ts';

const { take, stopIdle, kill, query } = createServerGroup();
const sockets: { close(): void }[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close();
  await query('delete from reminders');
});

let round = 0;
let prefix = '';
beforeEach(() => {
  prefix = `r${round++}-`;
});

/** A room with messages to be reminded of. */
const makeRoom = async ({ call }: ServerProcess, count: number): Promise<string[]> => {
  await call('POST', '/users', { users: { ana: { id: 'ana' }, bo: { id: 'bo' } } });
  await call('POST', `/channels/messaging/${prefix}room/query`, {
    data: { created_by_id: 'ana', members: ['ana', 'bo'] },
  });
  const ids = Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  await Promise.all(
    ids.map((id) =>
      call('POST', `/channels/messaging/${prefix}room/message`, { message: { id, text: id, user_id: 'bo' } }),
    ),
  );
  return ids;
};

/** Far enough on a machine whose cores are busy with other work; the test then moves it to now. */
const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

const remind = async ({ call }: ServerProcess, ids: string[], at: string): Promise<void> => {
  const replies = await Promise.all(
    ids.map((id) => call('POST', `/messages/${id}/reminders`, { remind_at: at }, 'ana')),
  );
  expect(replies.filter(({ status }) => status !== 201)).toEqual([]);
};

/** A device of Ana at one server: what it receives that is due, in order. */
const listen = async (server: ServerProcess) => {
  const socket = openSocket({ url: server.url, apiKey });
  sockets.push(socket);
  await socket.opened;
  socket.send(connectFrame(tokenFor('ana')));
  await until(() => socket.frames.length > 0, 'the hello');
  return () =>
    socket.frames
      .filter(({ type }) => type === 'notification.reminder_due')
      .map(({ reminder }) => (reminder as { message_id: string }).message_id);
};

const waitFor = async (done: () => boolean, ms: number): Promise<void> => {
  const end = Date.now() + ms;
  while (!done() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
};

test('P4 two servers: every device receives each due reminder once, whichever server published it', async () => {
  const [one, two] = [await take(), await take()];
  const ids = await makeRoom(one, 60);
  const [first, second] = [await listen(one), await listen(two)];

  await remind(one, ids.slice(0, 30), inAnHour());
  await remind(two, ids.slice(30), inAnHour());
  await query('update reminders set remind_at = now()');
  await waitFor(() => first().length >= 60 && second().length >= 60, 40_000);
  await new Promise((resolve) => setTimeout(resolve, 1000));

  expect(first().sort()).toEqual([...ids].sort());
  expect(second().sort()).toEqual([...ids].sort());
});

test('P4 a server that is killed in the middle of a thousand: the other publishes the rest, and none twice', async () => {
  const [one, two] = [await take(), await take()];
  await makeRoom(one, 1);
  await query(
    `insert into messages (id, cid, user_id, text, type, attachments, mentioned, data, number, seq, created_at, updated_at)
     select $1 || 'm' || n, $2, 'bo', 'm', 'regular', '[]', '[]', '{}', 0, 0, now(), now() from generate_series(1, 1000) n`,
    [prefix, `messaging:${prefix}room`],
  );
  await query(
    `insert into reminders (user_id, message_id, cid, remind_at, created_at, updated_at)
     select 'ana', id, cid, now() + interval '2 seconds' + (number * interval '0 ms'), now(), now() from messages
     where id like $1 || 'm%'`,
    [prefix],
  );
  const received = await listen(two);
  await waitFor(() => received().length > 0, 30_000);
  await kill(one);
  await waitFor(() => received().length >= 1000, 40_000);

  const all = received();
  expect(new Set(all).size).toBe(1000);
  expect(all).toHaveLength(1000);
});

test('P4 a reminder that falls due while no server is up is published once after the restart, and not at the next', async () => {
  const before = await take();
  await stopIdle();
  const ids = await makeRoom(before, 5);
  await remind(before, ids, inAnHour());
  await kill(before);
  await query('update reminders set remind_at = now()');
  const stamps = async () =>
    (await query('select notified_at as at from reminders where message_id = any($1)', [ids])).rows.map(
      ({ at }) => at?.getTime(),
    );

  const after = await take();
  let marked: (number | undefined)[] = [];
  await waitFor(() => {
    void stamps().then((found) => {
      marked = found;
    });
    return marked.length === 5 && marked.every((at) => at !== undefined);
  }, 30_000);
  const { body } = await after.call(
    'POST',
    '/reminders/query',
    { filter: { cid: `messaging:${prefix}room` } },
    'ana',
  );
  await kill(after);
  const last = await take();
  const received = await listen(last);
  await new Promise((resolve) => setTimeout(resolve, 1500));

  expect((body as { reminders: { notified_at?: string }[] }).reminders.every((one) => one.notified_at)).toBe(
    true,
  );
  expect(received()).toEqual([]);
  expect(await stamps()).toEqual(marked);
});

test('P4 scheduled messages: two servers, one killed in the middle; each is sent once', async () => {
  const [one, two] = [await take(), await take()];
  await makeRoom(one, 0);
  const ids = Array.from({ length: 80 }, (_, index) => `${prefix}s${index}`);
  const at = inAnHour();
  const replies = await Promise.all(
    ids.map((id, index) =>
      (index % 2 ? one : two).call(
        'POST',
        `/channels/messaging/${prefix}room/scheduled_messages`,
        { message: { id, text: id }, send_at: at },
        'ana',
      ),
    ),
  );
  expect(replies.filter(({ status }) => status !== 201)).toEqual([]);
  const left = async () =>
    Number(
      (await query(`select count(*) from scheduled_messages where id like $1`, [`${prefix}%`])).rows[0].count,
    );

  await query('update scheduled_messages set send_at = now() where id like $1', [`${prefix}%`]);
  while ((await left()) === ids.length) await new Promise((resolve) => setTimeout(resolve, 5));
  await kill(one);
  for (let tries = 0; (await left()) > 0 && tries < 600; tries++)
    await new Promise((resolve) => setTimeout(resolve, 100));

  expect(await left()).toBe(0);
  const { rows } = await query(
    `select payload::json #>> '{message,id}' as id from events where payload like '{"type":"message.new"%' and cid = $1`,
    [`messaging:${prefix}room`],
  );
  const sent = rows.map(({ id }) => id as string);
  expect(sent.sort()).toEqual([...ids].sort());
  expect((await two.call('GET', `/messages/${ids[0]}`, undefined, 'bo')).status).toBe(200);
});
