import { startServer } from '@parley/server';
import { createTestChat, type TestChat, type TestClient, until } from '@parley/testkit';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { pause } from './support.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

let serial = 0;
const makeRoom = async (): Promise<string> => {
  const id = `room-${++serial}`;
  await chat.admin.channels.create('messaging', id, { created_by_id: 'ana', members: ['ana', 'bo'] });
  return `messaging:${id}`;
};

const write = async (cid: string, count: number, prefix = 'm'): Promise<string[]> => {
  const texts = Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  for (const text of texts) await chat.admin.messages.send(cid, 'ana', { text });
  return texts;
};

const textsAt = ({ client }: TestClient, cid: string): string[] =>
  (client.channels.state(cid).get()?.messages ?? []).map((message) => message.text);

const openAt = async (who: TestClient, cid: string): Promise<void> => {
  const [type = '', id = ''] = cid.split(':');
  await who.client.channels.open(type, id);
};

test('C7 a cut socket comes back by itself, with what was written meanwhile', async () => {
  const cid = await makeRoom();
  const bo = await chat.connect('bo');
  await openAt(bo, cid);
  let recovered = 0;
  bo.client.on('connection.recovered', () => recovered++);

  bo.faults.cutSockets();
  const expected = await write(cid, 5);

  await until(() => recovered === 1, 'recovery');
  await until(() => textsAt(bo, cid).length === 5, 'the messages');
  expect(textsAt(bo, cid)).toEqual(expected);
  await chat.admin.messages.send(cid, 'ana', { text: 'live again' });
  await until(() => textsAt(bo, cid).at(-1) === 'live again', 'the live message');
});

test('C7 a channel opens though the server no longer knows the connection, which is made anew', async () => {
  const [cid, later] = [await makeRoom(), await makeRoom()];
  const bo = await chat.connect('bo');
  await openAt(bo, cid);
  const before = bo.client.connection.get();

  bo.faults.cutUnnoticed();
  const caller = await chat.as('bo');
  const connection_id = before.status === 'online' ? before.connectionId : '';
  await vi.waitFor(async () => {
    const url = `/channels/messaging/${later.split(':')[1]}/query?connection_id=${connection_id}`;
    expect((await caller.raw('POST', url, { body: '{"watch":true}' })).status).toBe(400);
  });
  expect(bo.client.connection.get().status).toBe('online');
  await openAt(bo, later);

  const isNew = () => {
    const now = bo.client.connection.get();
    return now.status === 'online' && now.connectionId !== connection_id;
  };
  await until(isNew, 'the new connection');
  for (const at of [cid, later]) {
    await chat.admin.messages.send(at, 'ana', { text: 'live' });
    await until(() => textsAt(bo, at).at(-1) === 'live', 'the live message');
  }
});

test('C7 a channel that is being opened while the connection changes is watched by the next one', async () => {
  const cid = await makeRoom();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  let queries = 0;
  const bo = await chat.connect('bo', {
    environment: {
      fetch: async (url: string, init: RequestInit) => {
        const reply = await fetch(url, init);
        if (url.includes('/query') && queries++ === 0) await held;
        return reply;
      },
    },
  });
  const before = bo.client.connection.get();
  const opening = openAt(bo, cid);
  await until(() => queries === 1, 'the first query');
  bo.faults.cutSockets();
  await until(() => {
    const now = bo.client.connection.get();
    return now.status === 'online' && now !== before;
  }, 'the next connection');

  letGo();
  await opening;

  await chat.admin.messages.send(cid, 'ana', { text: 'to the next connection' });
  await until(() => textsAt(bo, cid).at(-1) === 'to the next connection', 'the message');
});

test('C7 a client that was offline gets each message once and in order, also edits and deletes', async () => {
  const cid = await makeRoom();
  const bo = await chat.connect('bo');
  await openAt(bo, cid);
  const first = await chat.admin.messages.send(cid, 'ana', { text: 'first' });
  const second = await chat.admin.messages.send(cid, 'ana', { text: 'second' });
  await until(() => textsAt(bo, cid).length === 2, 'both messages');

  bo.faults.goOffline();
  expect(bo.client.connection.get().status).toBe('offline');
  const expected = await write(cid, 40);
  await chat.admin.messages.patch(first.id, { text: 'first, edited' });
  await chat.admin.messages.delete(second.id, { hard: true });
  bo.faults.restore();

  await until(() => textsAt(bo, cid)[0] === 'first, edited', 'the edit');
  await until(() => textsAt(bo, cid).length === 41, 'all messages');
  expect(textsAt(bo, cid)).toEqual(['first, edited', ...expected]);
});

test('C7 lost frames leave no hole: the log fills them', async () => {
  const cid = await makeRoom();
  const bo = await chat.connect('bo');
  await openAt(bo, cid);
  let seen = 0;
  bo.faults.onFrame((json) => (json.includes('"message.new"') && ++seen % 3 === 0 ? 'drop' : undefined));

  const expected = await write(cid, 20);

  await until(() => textsAt(bo, cid).length === 20, 'all messages');
  expect(textsAt(bo, cid)).toEqual(expected);
});

test('C7 doubled and late frames are applied once and in order', async () => {
  const cid = await makeRoom();
  const bo = await chat.connect('bo');
  await openAt(bo, cid);
  let seen = 0;
  bo.faults.onFrame((json) => {
    if (!json.includes('"message.new"')) return undefined;
    seen++;
    return seen % 2 === 0 ? 'duplicate' : { delayMs: (seen * 7) % 30 };
  });

  const expected = await write(cid, 20);

  await until(() => textsAt(bo, cid).length === 20, 'all messages');
  await pause(50);
  expect(textsAt(bo, cid)).toEqual(expected);
});

test('C7 a gap older than the log is closed by querying the channel anew', async () => {
  const cid = await makeRoom();
  const bo = await chat.connect('bo');
  await openAt(bo, cid);
  bo.faults.goOffline();
  const expected = await write(cid, 5);
  const database = new pg.Client({ connectionString: chat.databaseUrl });
  await database.connect();
  await database.query('delete from events where cid = $1', [cid]);
  await database.end();

  bo.faults.restore();

  await until(() => textsAt(bo, cid).length === 5, 'the messages');
  expect(textsAt(bo, cid)).toEqual(expected);
  await chat.admin.messages.send(cid, 'ana', { text: 'and on' });
  await until(() => textsAt(bo, cid).at(-1) === 'and on', 'the live message');
});

test('C7 of more than 30 channels the most recent come back live, the rest when opened', async () => {
  await chat.admin.users.upsert([{ id: 'many' }]);
  const cids: string[] = [];
  for (let index = 0; index < 33; index++) {
    const id = `many-${index}`;
    await chat.admin.channels.create('messaging', id, { created_by_id: 'many', members: ['many'] });
    await chat.admin.messages.send(`messaging:${id}`, 'many', { text: 'before' });
    cids.push(`messaging:${id}`);
  }
  const queries: unknown[] = [];
  const many = chat.createTestClient({
    environment: {
      fetch: (url, init) => {
        if (init.method === 'POST' && /\/channels\?/.test(url)) queries.push(JSON.parse(String(init.body)));
        return many.faults.environment.fetch(url, init);
      },
    },
  });
  await many.client.connectUser({ id: 'many' }, await chat.token('many'));
  for (const cid of cids) await openAt(many, cid);

  many.faults.goOffline();
  for (const cid of cids) await chat.admin.messages.send(cid, 'many', { text: 'meanwhile' });
  many.faults.restore();

  const isBack = (cid: string) => textsAt(many, cid).at(-1) === 'meanwhile';
  await until(() => cids.slice(3).every(isBack), 'the recent 30');
  expect(queries).toMatchObject([
    { limit: 30, watch: true, sort: [{ field: 'last_message_at', direction: -1 }] },
  ]);
  for (const cid of cids.slice(0, 3)) {
    expect(many.client.channels.state(cid).get()?.isStale).toBe(true);
    await openAt(many, cid);
    expect(isBack(cid)).toBe(true);
    expect(many.client.channels.state(cid).get()?.isStale).toBe(false);
  }
});

test('C7 without recoverStateOnReconnect channels are stale until opened', async () => {
  const cid = await makeRoom();
  const bo = await chat.connect('bo', { recoverStateOnReconnect: false });
  await openAt(bo, cid);

  bo.faults.cutSockets();
  await until(() => bo.client.connection.get().status !== 'online', 'the cut');
  await until(() => bo.client.connection.get().status === 'online', 'the reconnect');
  await chat.admin.messages.send(cid, 'ana', { text: 'unseen' });

  await until(() => bo.client.channels.state(cid).get()?.isStale === true, 'staleness');
  await openAt(bo, cid);
  expect(textsAt(bo, cid)).toEqual(['unseen']);
});

/** Stands still, while its timers run: what the client waits for can be read from it however busy the machine is. */
const stillClock = () => {
  const now = Date.now();
  return {
    now: () => now,
    setTimeout: (run: () => void, ms: number) => setTimeout(run, ms),
    clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
  };
};

test.each([
  [0, 300],
  [1, 1000],
])('C7 the wait before a reconnect has jitter: random %d gives %d ms', async (random, ms) => {
  const clock = stillClock();
  const bo = await chat.connect('bo', { environment: { random: () => random, clock } });
  let wait: number | undefined;
  bo.client.on('connection.changed', ({ state }) => {
    if (state.status === 'waiting') wait ??= state.retryAt - clock.now();
  });

  bo.faults.cutSockets();

  expect(await until(() => wait, 'the wait')).toBe(ms);
});

test('C7 each failed try waits twice as long', async () => {
  const clock = stillClock();
  const bo = await chat.connect('bo', {
    enableLongPollFallback: false,
    environment: { random: () => 0, clock },
  });
  const waits: number[] = [];
  bo.client.on('connection.changed', ({ state }) => {
    if (state.status === 'waiting') waits.push(state.retryAt - clock.now());
  });

  bo.faults.blockSockets();

  await until(() => waits.length === 4, 'four tries');
  expect(waits).toEqual([300, 300, 600, 1200]);
});

test('C7 a server that restarts finds its clients again, and they miss nothing', async () => {
  await using own = await createTestChat({ users: ['ana', 'bo'] });
  await own.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
  const cid = 'messaging:room';
  const bo = await own.connect('bo', { environment: { random: () => 0 } });
  await openAt(bo, cid);

  await own.server.stop();
  await until(() => bo.client.connection.get().status !== 'online', 'the end');
  const sending = bo.client.messages.send(cid, { text: 'written while it was away' });
  const again = await startServer({ ...own.server.kernel.config, port: Number(new URL(own.url).port) });
  await own.admin.messages.send(cid, 'ana', { text: 'written after the restart' });

  await until(() => textsAt(bo, cid).includes('written after the restart'), 'the message');
  await sending;
  expect(textsAt(bo, cid).sort()).toEqual(['written after the restart', 'written while it was away']);
  await bo.client.disconnect();
  await again.stop();
});

test('C7 an answer over HTTP shows that the server is back: the socket does not wait on', async () => {
  const { client, faults } = await chat.connect('bo', {
    enableLongPollFallback: false,
    environment: { random: () => 1, online: { isOnline: () => true, subscribe: () => () => undefined } },
  });
  const left = () => {
    const state = client.connection.get();
    return state.status === 'waiting' ? state.retryAt - Date.now() : 0;
  };
  faults.blockSockets();
  await until(() => left() > 6000, 'a long wait');
  faults.restore();
  expect(left()).toBeGreaterThan(5000);

  await client.reads.unread();

  expect(client.connection.get().status).toBe('connecting');
  await until(() => client.connection.get().status === 'online', 'the connection');
});
