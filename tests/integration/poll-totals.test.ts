import type { Poll } from '@parley/protocol';
import { type Caller, createTestChat, createTestClock, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectFrame, openSocket, pause } from './support.ts';

const place = { type: 'messaging', id: 'hall' };
const voters = Array.from({ length: 200 }, (_, index) => `voter-${index}`);
const clock = createTestClock();
let chat: TestChat;
let server: Caller;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana'], overrides: { clock } });
  server = await chat.as();
  for (let at = 0; at < voters.length; at += 100)
    await chat.admin.users.upsert(voters.slice(at, at + 100).map((id) => ({ id })));
  await chat.admin.channels.create('messaging', 'hall', { created_by_id: 'ana', members: ['ana'] });
  for (let at = 0; at < voters.length; at += 100)
    await server.call('POST /channels/{type}/{id}', {
      path: place,
      body: { add_members: voters.slice(at, at + 100) },
    });
});
afterAll(() => chat.stop());

const ask = async (more: object = {}) => {
  const query = { user_id: 'ana' };
  const options = ['a', 'b', 'c'].map((id) => ({ id, text: `Option ${id}` }));
  const { poll } = await server.call('POST /polls', { query, body: { name: 'Which?', options, ...more } });
  const { message } = await server.call('POST /channels/{type}/{id}/message', {
    path: place,
    body: { message: { poll_id: poll.id, user_id: 'ana' } },
  });
  return { id: message.id, poll_id: poll.id };
};
type Path = Awaited<ReturnType<typeof ask>>;

const voteAs = (user_id: string, path: Path, option_id: string) =>
  server.call('POST /messages/{id}/polls/{poll_id}/vote', {
    path,
    query: { user_id },
    body: { vote: { option_id } },
  });
const unvoteAs = (user_id: string, path: Path, vote_id: string) =>
  server.call('DELETE /messages/{id}/polls/{poll_id}/vote/{vote_id}', {
    path: { ...path, vote_id },
    query: { user_id },
  });
const read = async ({ poll_id }: Path): Promise<Poll> =>
  (await server.call('GET /polls/{id}', { path: { id: poll_id } })).poll;

/** The same numbers in every run. */
const createDice = (seed: number) => {
  let state = seed;
  return (sides: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
};

/** Votes and takes back at random; what the person believes to have voted in the end. */
const waver = async (userId: string, path: Path, seed: number): Promise<string[]> => {
  const roll = createDice(seed);
  const own = new Map<string, string>();
  for (let step = 0; step < 6; step += 1) {
    const option = ['a', 'b', 'c'][roll(3)] ?? 'a';
    const known = own.get(option);
    if (known) {
      await unvoteAs(userId, path, known);
      own.delete(option);
    } else own.set(option, (await voteAs(userId, path, option)).vote.id);
  }
  return [...own.keys()];
};

test('P2 200 people who vote and unvote at random at once leave exactly the votes that stand', async () => {
  const path = await ask();

  const held = await Promise.all(voters.map((id, index) => waver(id, path, index + 1)));

  const poll = await read(path);
  const count = (option: string) => held.filter((own) => own.includes(option)).length;
  expect(poll.vote_counts_by_option).toEqual({ a: count('a'), b: count('b'), c: count('c') });
  expect(poll.vote_count).toBe(held.flat().length);
  const listed = await listAll(path);
  expect(listed).toHaveLength(held.flat().length);
  expect(new Set(listed).size).toBe(listed.length);
});

const listAll = async ({ poll_id }: Path): Promise<string[]> => {
  const found: string[] = [];
  let next: string | undefined;
  do {
    const page = await server.call('POST /polls/{id}/votes', {
      path: { id: poll_id },
      body: { limit: 100, ...(next ? { next } : {}) },
    });
    found.push(...page.votes.map(({ user_id, option_id }) => `${user_id} ${option_id}`));
    next = page.next;
  } while (next);
  return found;
};

test('P2 in a poll of one vote 200 who change their minds at once have one vote each', async () => {
  const path = await ask({ enforce_unique_vote: true });

  await Promise.all(voters.flatMap((id) => ['a', 'b', 'c'].map((option) => voteAs(id, path, option))));

  expect((await read(path)).vote_count).toBe(200);
  expect(new Set((await listAll(path)).map((line) => line.split(' ')[0])).size).toBe(200);
});

/** A socket that watches the channel, and the polls of the events it receives. */
const watch = async (poll_id: string) => {
  const socket = openSocket(chat);
  await socket.opened;
  socket.send(connectFrame(await chat.token('ana'), { user_id: 'ana' }));
  await until(() => socket.frames.length > 0, 'the greeting');
  const ana = await chat.as('ana');
  await ana.call('POST /channels/{type}/{id}/query', {
    path: place,
    query: { connection_id: String(socket.frames[0]?.connection_id) },
    body: { watch: true },
  });
  const received = () =>
    socket.frames.filter((frame) => frame.type.startsWith('poll.') && (frame.poll as Poll).id === poll_id);
  return { received, close: socket.close, last: () => received().at(-1)?.poll as Poll | undefined };
};

test('P2 a watcher gets at most five updates a second of a poll, and always the last state', async () => {
  const path = await ask();
  const watcher = await watch(path.poll_id);

  await voteAs('voter-0', path, 'a');
  await until(() => watcher.received().length === 1, 'the first vote at once');
  await Promise.all(voters.slice(1).map((id) => voteAs(id, path, 'a')));
  await pause(100);
  expect(watcher.received()).toHaveLength(1);
  clock.advance(200);
  await until(() => watcher.received().length === 2, 'the rest in one');

  expect(watcher.last()).toMatchObject({ vote_count: 200 });
  expect(watcher.last()?.own_votes).toBeUndefined();
  for (let beat = 0; beat < 10; beat += 1) {
    clock.advance(200);
    await pause(5);
  }
  expect(watcher.received()).toHaveLength(2);
  watcher.close();
});

test('P2 votes that a server stored and did not publish before it died are published by the next', async () => {
  const path = await ask();
  const watcher = await watch(path.poll_id);
  const { db } = chat.server.kernel;
  await db.insertInto('poll_untold').values({ poll_id: path.poll_id }).execute();

  clock.advance(5000);
  await until(() => watcher.received().length === 1, 'the unpublished poll');

  expect(await db.selectFrom('poll_untold').selectAll().execute()).toEqual([]);
  watcher.close();
});

test('P1 a poll closes at its end time: no vote from then on, and the event comes within a second', async () => {
  const end_at = new Date(clock.now() + 60_000).toISOString();
  const path = await ask({ end_at });
  const watcher = await watch(path.poll_id);
  await voteAs('voter-1', path, 'a');

  clock.advance(59_000);
  await voteAs('voter-2', path, 'a');
  clock.advance(1000);

  const refused = await server.refused('POST /messages/{id}/polls/{poll_id}/vote', {
    path,
    query: { user_id: 'voter-3' },
    body: { vote: { option_id: 'a' } },
  });
  expect(refused).toMatchObject({ code: 4, message: 'The poll is closed' });
  expect(await read(path)).toMatchObject({ is_closed: true, vote_count: 2 });
  clock.advance(1000);
  await until(() => watcher.received().some(({ type }) => type === 'poll.closed'), 'the close');
  watcher.close();
});

test('P1 end times in the past are refused, and to reopen a poll its end must be moved or taken away', async () => {
  const query = { user_id: 'ana' };
  const at = (ms: number) => new Date(clock.now() + ms).toISOString();
  const body = { name: 'Late?', options: [{ text: 'Yes' }], end_at: at(-1) };
  expect(await server.refused('POST /polls', { query, body })).toMatchObject({
    code: 4,
    details: [{ path: 'end_at', message: 'must be in the future' }],
  });
  const { poll_id: id } = await ask({ end_at: at(5000) });
  clock.advance(6000);

  const reopen = (set: Record<string, unknown>, unset: string[] = []) => ({
    path: { id },
    query,
    body: { set, unset },
  });
  expect(await server.refused('PATCH /polls/{id}', reopen({ is_closed: false }))).toMatchObject({
    details: [{ path: 'set.end_at' }],
  });
  const { poll } = await server.call('PATCH /polls/{id}', reopen({ is_closed: false }, ['end_at']));
  expect(poll.is_closed).toBe(false);
  expect(poll.end_at).toBeUndefined();
});
