import { times } from '@parley/protocol';
import { startServer } from '@parley/server';
import { type Caller, createCaller, createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Ana calls one server, Bo the other, on one database. */
let chat: TestChat;
let other: Awaited<ReturnType<typeof startServer>>;
let ana: Caller;
let bo: Caller;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
  other = await startServer({ ...chat.server.kernel.config, port: 0 });
  ana = await chat.as('ana');
  bo = await createCaller({
    ...{ baseUrl: `${other.url}/api`, apiKey: chat.apiKey },
    token: () => chat.token('bo'),
  });
});
afterAll(async () => {
  await other?.stop();
  await chat?.stop();
});

const makeRoom = async (id: string) => {
  await chat.admin.channels.create('messaging', id, { created_by_id: 'ana', members: ['ana', 'bo'] });
  return { cid: `messaging:${id}`, path: { type: 'messaging', id } };
};
type Room = Awaited<ReturnType<typeof makeRoom>>;

type Logged = { type: string; created_at: string };
const logOf = async ({ cid }: Room, part: RegExp): Promise<Logged[]> => {
  const { events } = await ana.call('POST /sync', { body: { cursors: { [cid]: 0 } } });
  return (events as Logged[]).filter(({ type }) => part.test(type));
};
/** The shortest time between two events, by the time of the database, which both servers keep. */
const shortestGap = (events: Logged[]): number => {
  const at = events.map(({ created_at }) => Date.parse(created_at));
  return Math.min(...at.slice(1).map((time, n) => time - (at[n] ?? 0)));
};
/** Timers may end a little early. */
const slackMs = 10;

test('P5 positions that two servers store are published together, at most once in three seconds', async () => {
  const room = await makeRoom('street');
  const share = async (who: Caller) => {
    const end_at = new Date(Date.now() + 60_000).toISOString();
    const shared_location = { latitude: 0, longitude: 0, created_by_device_id: 'phone', end_at };
    const body = { message: { shared_location } };
    return (await who.call('POST /channels/{type}/{id}/message', { path: room.path, body })).message.id;
  };
  const ids = [await share(ana), await share(bo)];
  const move = (latitude: number) =>
    Promise.all(
      [ana, bo].map((who, n) =>
        who.call('PUT /users/live_locations', {
          body: { message_id: ids[n] ?? '', created_by_device_id: 'phone', latitude, longitude: 0 },
        }),
      ),
    );
  const published = () => logOf(room, /sharing\.updated$/);
  for (const latitude of [1, 2, 3]) {
    const before = (await published()).length;
    await move(latitude);
    await until(async () => (await published()).length > before, `the positions at ${latitude}`);
  }
  const { db } = chat.server.kernel;
  const unpublished = () =>
    db.selectFrom('shared_locations').select('message_id').where('untold', '=', true).execute();
  await until(async () => (await unpublished()).length === 0, 'the last positions');

  expect(shortestGap(await published())).toBeGreaterThanOrEqual(times.locationUpdate - slackMs);
});

test('P2 votes that two servers store are published together, at most every 200 ms', async () => {
  const room = await makeRoom('hall');
  const options = ['a', 'b'].map((id) => ({ id, text: `Option ${id}` }));
  const { poll } = await ana.call('POST /polls', { body: { name: 'Which?', options } });
  const body = { message: { poll_id: poll.id } };
  const { message } = await ana.call('POST /channels/{type}/{id}/message', { path: room.path, body });
  const path = { id: message.id, poll_id: poll.id };
  const published = () => logOf(room, /^poll\.vote/);
  const vote = (who: Caller, option_id: string) =>
    who.call('POST /messages/{id}/polls/{poll_id}/vote', { path, body: { vote: { option_id } } });
  for (let n = 0; n < 30; n++) {
    const option = n % 2 === 0 ? 'a' : 'b';
    await Promise.all([vote(ana, option), vote(bo, option)]);
  }
  const { db } = chat.server.kernel;
  const unpublished = () => db.selectFrom('poll_untold').select('poll_id').execute();
  await until(async () => (await unpublished()).length === 0, 'the last votes');

  const events = await published();
  expect(events.length).toBeGreaterThan(1);
  expect(shortestGap(events)).toBeGreaterThanOrEqual(times.pollUpdate - slackMs);
});
