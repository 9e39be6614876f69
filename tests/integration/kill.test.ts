import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@parley/testkit';
import { makeDatabaseFolder } from '@parley/testkit/memory-folder';
import { afterAll, expect, test } from 'vitest';
import { type ServerProcess, startProcess } from './server-process.ts';

const folder = makeDatabaseFolder('parley-kill-');
const rooms = ['one', 'two'];
const writers = 8;
const sendsPerRound = 60;
let server: ServerProcess | undefined;
afterAll(async () => {
  server?.signal('SIGTERM');
  await server?.exited;
  rmSync(folder, { recursive: true, force: true });
});

const start = () => startProcess({ PARLEY_DATA: join(folder, 'data') }, folder);
const postmaster = (): number =>
  Number.parseInt(readFileSync(join(folder, 'data', 'pg', 'postmaster.pid'), 'utf8'), 10);

const roomOf = (id: string): string => rooms[Number(id.at(-1)) % rooms.length] ?? '';
const send = ({ call }: ServerProcess, id: string) =>
  call('POST', `/channels/messaging/${roomOf(id)}/message`, { message: { id, text: id, user_id: 'ana' } });

const acknowledged: string[] = [];

/** Writes until the server is gone; gives the ids whose answer never came. */
const load = async (target: ServerProcess, round: number): Promise<string[]> => {
  const inDoubt: string[] = [];
  const writer = async (name: number) => {
    for (let index = 0; index < sendsPerRound; index++) {
      const id = `r${round}-w${name}-${index}`;
      try {
        const { status } = await send(target, id);
        if (status === 201) acknowledged.push(id);
        else inDoubt.push(id);
      } catch {
        inDoubt.push(id);
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, name) => writer(name)));
  return inDoubt;
};

type LogEvent = { type: string; seq: number; message?: { id: string; number: number } };

/** The log and the channel row of one room. */
const inspect = async ({ call }: ServerProcess, room: string) => {
  const cid = `messaging:${room}`;
  const synced = await call('POST', '/sync', { cursors: { [cid]: 0 } }, 'ana');
  const state = await call('POST', `/channels/messaging/${room}/query`, { messages: { limit: 1 } }, 'ana');
  const { events, resync } = synced.body as { events: LogEvent[]; resync: string[] };
  const messages = events.flatMap(({ message }) => message ?? []);
  return { events, resync, messages, state: state.body as { seq: number; last_number: number } };
};

const compare = async (target: ServerProcess): Promise<void> => {
  const stored: string[] = [];
  for (const room of rooms) {
    const { events, resync, messages, state } = await inspect(target, room);
    expect(resync).toEqual([]);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(state.seq).toBe(events.length);
    expect(messages.map(({ number }) => number)).toEqual(messages.map((_, index) => index + 1));
    expect(state.last_number).toBe(messages.length);
    stored.push(...messages.map(({ id }) => id));
  }
  expect(new Set(stored).size).toBe(stored.length);
  const there = new Set(stored);
  expect(acknowledged.filter((id) => !there.has(id))).toEqual([]);
};

const setUp = async ({ call }: ServerProcess): Promise<void> => {
  await call('POST', '/users', { users: { ana: { id: 'ana' } } });
  for (const room of rooms)
    await call('POST', `/channels/messaging/${room}/query`, {
      data: { created_by_id: 'ana', members: ['ana'] },
    });
};

test.each([
  [1, 'the server'],
  [2, 'the server'],
  [3, 'the server and its database'],
])('W4 round %d: %s killed under load; nothing acknowledged is lost or doubled', async (round, what) => {
  server ??= await start();
  if (round === 1) await setUp(server);

  const before = acknowledged.length;
  const loading = load(server, round);
  const enough = 20 + Math.floor(Math.random() * 200);
  await until(() => acknowledged.length - before >= enough, 'the load', 60_000);
  if (what !== 'the server') process.kill(postmaster(), 'SIGKILL');
  server.signal('SIGKILL');
  const inDoubt = await loading;
  expect(inDoubt.length).toBeGreaterThan(0);
  await server.exited;
  server = await start();

  await compare(server);
  for (const id of inDoubt) {
    const { status } = await send(server, id);
    expect([200, 201]).toContain(status);
    acknowledged.push(id);
  }
  await compare(server);
});
