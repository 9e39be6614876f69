import { startServer, systemClock } from '@parley/server';
import { createCaller, createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listening, startBuses } from './buses.ts';
import { connectFrame, openSocket } from './support.ts';

const limited = { rateLimits: true, trustProxy: ['loopback'], socketsPerUser: 6, socketsPerAddress: 8 };
let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({
    users: ['ana', 'bo', 'hal', 'ida'],
    config: limited,
  });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

const sendMany = async (user: string | undefined, count: number) => {
  const raw = await chat.as(user);
  const body = JSON.stringify({ message: { text: 'x', ...(user ? {} : { user_id: 'ana' }) } });
  const replies = [];
  for (let done = 0; done < count; done += 25)
    replies.push(
      ...(await Promise.all(
        Array.from({ length: 25 }, () => raw.raw('POST', '/channels/messaging/room/message', { body })),
      )),
    );
  return replies;
};

test('protocol 1 limited routes name the budget in headers; past it they answer 429 with retry-after', async () => {
  const replies = await sendMany('ana', 325);
  const good = replies.filter(({ status }) => status === 201);
  const limited = replies.filter(({ status }) => status === 429);

  expect(good.length + limited.length).toBe(325);
  expect(good.length).toBe(300);
  const headers = good[0]?.headers;
  expect(Number(headers?.get('ratelimit-limit'))).toBe(300);
  expect(Number(headers?.get('ratelimit-remaining'))).toBeLessThan(300);
  expect(Number(headers?.get('ratelimit-reset'))).toBeGreaterThan(0);
  expect(limited[0]?.body).toMatchObject({ code: 9, name: 'RateLimited', status: 429 });
  expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(limited[0]?.headers.get('ratelimit-remaining')).toBe('0');
});

test('protocol 1 the budget of one user and of one kind is not that of another', async () => {
  const ana = await chat.as('ana');
  const bo = await chat.as('bo');
  const path = { type: 'messaging', id: 'room' };

  await ana.call('GET /unread');
  await bo.call('POST /channels/{type}/{id}/message', { path, body: { message: { text: 'mine' } } });
});

test('protocol 1 a user who is named like an address does not use up the budget of that address', async () => {
  const address = '203.0.113.90';
  const named = await chat.as(address);
  for (let n = 0; n < 3; n++) await named.call('GET /unread');

  const visitor = await fetch(`${chat.url}/api/channels`, {
    method: 'POST',
    headers: {
      ...{ 'x-api-key': chat.apiKey, 'x-auth-type': 'anonymous', 'x-forwarded-for': address },
      'content-type': 'application/json',
    },
    body: '{}',
  });

  expect(visitor.headers.get('ratelimit-remaining')).toBe('599');
});

test('protocol 1 a server with the secret is not limited', async () => {
  const replies = await sendMany(undefined, 325);

  expect(replies.every(({ status }) => status === 201)).toBe(true);
});

test('protocol 1 creating guests is limited by address', async () => {
  const raw = await chat.as('bo');
  const body = JSON.stringify({ user: { id: 'visitor' } });

  const replies = await Promise.all(Array.from({ length: 70 }, () => raw.raw('POST', '/guest', { body })));

  expect(replies.filter(({ status }) => status === 201)).toHaveLength(60);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(10);
});

test('protocol 1 a call that is not valid counts, and past the budget its body is not read', async () => {
  const cy = await chat.as('cy');
  const body = JSON.stringify({ message: { text: 7 } });
  const path = '/channels/messaging/room/message';

  const replies = await Promise.all(Array.from({ length: 310 }, () => cy.raw('POST', path, { body })));

  expect(replies.filter(({ status }) => status === 400)).toHaveLength(300);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(10);
});

test('C9 a limited call reaches the caller as RateLimited', async () => {
  const { client } = await chat.connect('ana');

  await expect(
    client.http.call('POST /channels/{type}/{id}/message', {
      path: { type: 'messaging', id: 'room' },
      body: { message: { text: 'x' } },
    }),
  ).rejects.toMatchObject({ name: 'RateLimited', code: 9, retryable: true });
});

test('protocol 1 health is never limited', async () => {
  const replies = await Promise.all(Array.from({ length: 50 }, () => fetch(`${chat.url}/healthz`)));
  expect(replies.every(({ status, headers }) => status === 200 && !headers.has('ratelimit-limit'))).toBe(
    true,
  );
});

const { cases, nats } = await startBuses();

describe.each(cases)('with a second and a third server on $name', ({ bus }) => {
  type Server = Awaited<ReturnType<typeof startServer>>;
  const fastMs = 30_000;
  const fastClock = { ...systemClock, now: () => Date.now() + fastMs };
  let first: TestChat;
  let servers: Server[];
  /** The clock of the third machine is ahead. */
  beforeAll(async () => {
    first = bus ? await createTestChat({ users: ['ana', 'hal', 'ida'], config: { ...limited, bus } }) : chat;
    const config = { ...first.server.kernel.config, port: 0 };
    servers = [
      first.server,
      await startServer(config),
      await startServer(config, { machineClock: fastClock }),
    ];
  });
  afterAll(async () => {
    for (const server of servers.slice(1)) await server.stop();
    if (first !== chat) await first.stop();
  });
  const serverAt = (index: number) => servers[index % servers.length] as Server;

  const callerAt = (server: Server, userId: string) =>
    createCaller({ baseUrl: `${server.url}/api`, apiKey: first.apiKey, token: () => first.token(userId) });

  const most = 60;
  /** The answers to so many calls of an address that count and do nothing, five at a time; `choose` names the server of each. */
  const askFrom = async (address: string, count: number, choose: (n: number) => Server) => {
    const ask = (server: Server) =>
      fetch(`${server.url}/api/guest`, {
        method: 'POST',
        headers: {
          'x-api-key': first.apiKey,
          'content-type': 'application/json',
          'x-forwarded-for': address,
        },
        body: '{}',
      });
    const replies = [];
    for (let done = 0; done < count; done += 5)
      replies.push(...(await Promise.all(Array.from({ length: 5 }, (_, n) => ask(choose(done + n))))));
    return replies;
  };
  const takenOf = (replies: Response[]) => replies.filter(({ status }) => status === 400).length;
  const remaining = (reply: Response | undefined) => Number(reply?.headers.get('ratelimit-remaining'));

  test('W4 a caller whose calls go to three servers has the budget of one', async () => {
    const replies = await askFrom('203.0.113.61', 75, serverAt);

    expect(takenOf(replies)).toBeGreaterThanOrEqual(most * 0.9);
    expect(takenOf(replies)).toBeLessThanOrEqual(most * 1.1);
    const limited = replies.filter(({ status }) => status === 429);
    expect(takenOf(replies) + limited.length).toBe(75);
    expect(remaining(limited[0])).toBe(0);
    expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('W4 a caller whose calls go to one of three servers gets the whole budget there', async () => {
    expect(takenOf(await askFrom('203.0.113.62', 70, () => serverAt(2)))).toBe(most);
  });

  test('W4 calls that a caller made at one server are missing at the others, and the headers say so', async () => {
    const address = '203.0.113.63';
    const first = await askFrom(address, 25, () => serverAt(0));
    let made = 0;
    await until(async () => {
      made += 5;
      const replies = await askFrom(address, 5, () => serverAt(1));
      return Math.min(...replies.map(remaining)) <= most - 25 - made;
    }, 'the news');

    expect(takenOf(first)).toBe(25);
    expect(made).toBeLessThan(25);
    expect(takenOf(await askFrom(address, 40, () => serverAt(1)))).toBeLessThan(most - 25);
  });

  test('W4 the calls that a dead server was granted and did not use come back', async () => {
    const { pool } = first.server.kernel.pools;
    const dead = 'dddddddd-0000-4000-8000-000000000000';
    const key = 'address 203.0.113.64 auth';
    const old = "now() - interval '1 minute'";
    await pool.query(`insert into servers (id, started_at, beat_at) values ($1, ${old}, ${old})`, [dead]);
    await pool.query('insert into call_budgets (key, spent, unused) values ($1, 50, $2)', [
      key,
      { [dead]: 40 },
    ]);
    const spent = async () =>
      (await pool.query('select spent from call_budgets where key = $1', [key])).rows[0]?.spent;
    await until(async () => (await spent()) === 10, 'the calls of the dead server');

    expect(takenOf(await askFrom('203.0.113.64', 60, () => serverAt(0)))).toBe(50);
  });

  test('W4 wrong tokens at one server count at the others', async () => {
    const guess = (server: Server) =>
      fetch(`${server.url}/api/unread`, {
        headers: {
          'x-api-key': first.apiKey,
          authorization: `wrong-${Math.random()}`,
          'x-forwarded-for': '203.0.113.70',
        },
      }).then(({ status }) => status);
    for (let n = 0; n < 12; n++)
      await Promise.all(Array.from({ length: 30 }, () => guess(serverAt(n % 2 === 0 ? 0 : 1))));

    let guesses = 0;
    await until(async () => {
      guesses++;
      return (await guess(serverAt(2))) === 429;
    }, 'the refusal at the third');
    expect(guesses).toBeLessThan(100);
  });

  const open = async (server: Server, userId: string | undefined, address: string) => {
    const socket = openSocket({ url: server.url, apiKey: first.apiKey }, undefined, {
      headers: { 'x-forwarded-for': address },
    });
    await socket.opened;
    socket.send(connectFrame(userId === undefined ? undefined : await first.token(userId)));
    await until(() => socket.frames.length > 0, 'the hello');
    return socket;
  };
  type Opened = Awaited<ReturnType<typeof open>>;
  /** The bus ends as it does by a crash, and is there again. */
  const loseBus = async (): Promise<void> => {
    if (bus && !('missing' in nats)) {
      await nats.kill();
      await nats.restart();
    } else await first.server.kernel.pools.pool.query(`select pg_terminate_backend(pid) ${listening}`);
  };
  const good = (sockets: Opened[]) => sockets.filter((socket) => socket.errors().length === 0);

  test('W4 a user has so many sockets on all servers together, also when they are opened at once', async () => {
    const burst = await Promise.all(
      Array.from({ length: 15 }, (_, n) => open(serverAt(n), 'hal', `203.0.113.${n}`)),
    );
    const kept = good(burst);
    expect(kept.length).toBeLessThanOrEqual(6);
    for (let n = 0; kept.length < 6 && n < 50; n++)
      kept.push(...good([await open(serverAt(n), 'hal', `203.0.113.${n}`)]));
    expect(kept).toHaveLength(6);

    const refused = await Promise.all([0, 1, 2].map((n) => open(serverAt(n), 'hal', '203.0.113.9')));
    expect(refused.map((socket) => socket.errors()[0])).toMatchObject(
      Array.from({ length: 3 }, () => ({ name: 'RateLimited', message: expect.stringContaining('user') })),
    );

    kept[0]?.close();
    await until(async () => good([await open(serverAt(1), 'hal', '203.0.113.8')]).length === 1, 'the place');
    for (const { close } of [...burst, ...kept]) close();
  });

  test('W4 an address has so many sockets on all servers together, and those of a server that left count no more', async () => {
    const address = '203.0.113.50';
    const leaving = await startServer({ ...first.server.kernel.config, port: 0 });
    const sockets = [];
    for (let n = 0; n < 8; n++) sockets.push(await open(n % 2 ? leaving : serverAt(0), undefined, address));
    expect(good(sockets)).toHaveLength(8);
    expect(good([await open(serverAt(1), undefined, address)])).toHaveLength(0);

    await leaving.stop();

    await until(async () => good([await open(serverAt(1), undefined, address)]).length === 1, 'a place');
    for (const { close } of sockets) close();
  });

  test('W4 a user and an address at their caps can renew all their sockets after the bus was lost, and then hold no more than before', async () => {
    const address = '203.0.113.80';
    const old = await Promise.all(Array.from({ length: 6 }, (_, n) => open(serverAt(n % 2), 'ida', address)));
    expect(good(old)).toHaveLength(6);
    expect(good([await open(serverAt(2), 'ida', address)])).toHaveLength(0);
    const count = `select sum(connections)::integer as sum from connection_counts where key = 'user ida'`;
    const { pool } = first.server.kernel.pools;
    await until(async () => (await pool.query(count)).rows[0].sum === 6, 'the end of the seventh');

    await loseBus();
    const isAsked = ({ frames }: Opened) => frames.some(({ type }) => type === 'connection.draining');
    await until(() => old.every(isAsked), 'the requests to renew');
    // A server that the bus reaches later asks its connections then, and the new ones would move once more.
    const areUp = () => Promise.all(servers.map(({ kernel }) => kernel.bus.ready()));
    await until(async () => (await areUp()).every(Boolean), 'the bus at all servers');
    const next = await Promise.all(
      Array.from({ length: 6 }, (_, n) => open(serverAt(n % 3), 'ida', address)),
    );

    expect(good(next)).toHaveLength(6);
    for (const { close } of old) close();
    expect(good([await open(serverAt(1), 'ida', address)])).toHaveLength(0);
    for (const { close } of next) close();
  });

  test('W4 a connection that one server refused no longer counts when its refusal arrives: the next try may be at another server', async () => {
    const { pool } = first.server.kernel.pools;
    const countOf = async (key: string) =>
      (
        await pool.query('select sum(connections)::integer as sum from connection_counts where key = $1', [
          key,
        ])
      ).rows[0].sum;
    const address = '203.0.113.81';
    const hals = await Promise.all(
      Array.from({ length: 6 }, (_, n) => open(serverAt(0), 'hal', `203.0.113.${90 + n}`)),
    );
    const visitors = await Promise.all(
      Array.from({ length: 8 }, () => open(serverAt(0), undefined, address)),
    );
    expect([good(hals), good(visitors)].map(({ length }) => length)).toEqual([6, 8]);

    for (let n = 1; n <= 6; n++) {
      expect(good([await open(serverAt(n), 'hal', '203.0.113.89')])).toHaveLength(0);
      expect(await countOf('user hal')).toBe(6);
      expect(good([await open(serverAt(n), undefined, address)])).toHaveLength(0);
      expect(await countOf(`address ${address}`)).toBe(8);
    }
    for (const { close } of [...hals, ...visitors]) close();
  });

  test('W4 slow mode measures by one clock, wherever a user sends', async () => {
    const path = '/channels/messaging/slow-clock/message';
    await first.admin.channels.create('messaging', 'slow-clock', {
      ...{ created_by_id: 'ana', members: ['ana', 'hal', 'ida'] },
      cooldown: 20,
    });
    const send = async (index: number, userId: string) =>
      (await callerAt(serverAt(index), userId)).raw('POST', path, {
        body: JSON.stringify({ message: { text: 'now' } }),
      });
    const secondsOf = (body: unknown) =>
      Number((body as { details: { message: string }[] }).details[0]?.message);

    expect([(await send(0, 'hal')).status, (await send(2, 'ida')).status]).toEqual([201, 201]);
    const [atFast, atRight] = [await send(2, 'hal'), await send(0, 'ida')];

    for (const { body } of [atFast, atRight]) {
      expect(body).toMatchObject({ name: 'CoolDown' });
      expect(secondsOf(body)).toBeGreaterThan(10);
      expect(secondsOf(body)).toBeLessThanOrEqual(20);
    }
  });

  test('W4 slow mode holds for a user who sends at two servers at once', async () => {
    await first.admin.channels.create('messaging', 'slow', {
      ...{ created_by_id: 'ana', members: ['ana', 'ida'] },
      cooldown: 60,
    });
    const send = async (server: Server) =>
      (await callerAt(server, 'ida')).raw('POST', '/channels/messaging/slow/message', {
        body: JSON.stringify({ message: { text: 'now' } }),
      });

    const replies = await Promise.all(servers.map(send));

    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status !== 201).map(({ body }) => body)).toMatchObject([
      { name: 'CoolDown' },
      { name: 'CoolDown' },
    ]);
  });
});
