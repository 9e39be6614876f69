import { connect } from 'node:net';
import { startServer } from '@parley/server';
import { createTestChat, startNats, type TestChat, type TestClient, until } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { listening, startBuses } from './buses.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

const { cases, nats } = await startBuses();

describe.each(cases)('on $name', ({ bus }) => {
  let chat: TestChat;
  let other: Server;
  let ana: TestClient;
  let bo: TestClient;

  /** Ana is connected to the first server, Bo to the second, on one database. */
  beforeAll(async () => {
    chat = await createTestChat({ users: ['ana', 'bo', 'cy', 'di'], config: { bus } });
    other = await startServer({ ...chat.server.kernel.config, port: 0 });
    ana = await chat.connect('ana');
    bo = await connectToOther('bo');
  });
  afterAll(async () => {
    await bo?.client.disconnect();
    await other?.stop();
    await chat?.stop();
  });

  /** The bus ends as it does by a crash. That of the database is opened again at once. */
  const loseBus = async (): Promise<void> => {
    if (bus && !('missing' in nats)) await nats.kill();
    else await chat.server.kernel.pools.pool.query(`select pg_terminate_backend(pid) ${listening}`);
  };
  const mendBus = async (): Promise<void> => {
    if (bus && !('missing' in nats)) await nats.restart();
  };

  const connectToOther = (id: string) => chat.connect(id, { baseUrl: `${other.url}/api` });
  const stateOf = ({ client }: TestClient, cid: string) => client.channels.state(cid).get();
  const textsOf = (client: TestClient, cid: string) => stateOf(client, cid)?.messages.map(({ text }) => text);

  let serial = 0;
  /** A channel that both have open. */
  const makeRoom = async (members = ['ana', 'bo']) => {
    const id = `room-${++serial}`;
    await chat.admin.channels.create('messaging', id, { created_by_id: 'cy', members });
    await ana.client.channels.open('messaging', id);
    await bo.client.channels.open('messaging', id);
    return { id, cid: `messaging:${id}`, path: { type: 'messaging', id } };
  };

  test('W4 messages of both servers reach the watchers of both, in one order', async () => {
    const { cid } = await makeRoom();

    await Promise.all(
      [ana, bo].map(async ({ client }, at) => {
        for (let n = 0; n < 15; n++) await client.messages.send(cid, { text: `${at} ${n}` });
      }),
    );

    await until(() => textsOf(ana, cid)?.length === 30 && textsOf(bo, cid)?.length === 30, 'all messages');
    expect(textsOf(bo, cid)).toEqual(textsOf(ana, cid));
  });

  /** Counts what goes over the bus about channels, as one who listens beside the servers. */
  const countBus = async (): Promise<() => number> => {
    let count = 0;
    if (bus) {
      const [host = '', port] = (bus.servers[0] ?? '').split(':');
      const socket = connect(Number(port), host);
      onTestFinished(() => void socket.destroy());
      socket.write('CONNECT {"verbose":false}\r\nSUB parley.*.channel.* 1\r\nPING\r\n');
      await new Promise<void>((resolve) => {
        socket.on('data', (bytes) => {
          count += bytes.toString().match(/^MSG parley/gm)?.length ?? 0;
          if (bytes.includes('PONG')) resolve();
        });
      });
    } else {
      const client = await chat.server.kernel.pools.connectPipelined();
      onTestFinished(() => client.end());
      client.on('notification', ({ payload }) => {
        if (payload?.includes('"kind":"channel"')) count++;
      });
      await client.query('listen parley_bus');
    }
    return () => count;
  };

  test('W4 many messages at once arrive at the other server in order and once, and events of one turn travel together', async () => {
    const { cid, path } = await makeRoom();
    const raw = await chat.as('ana');
    const received: number[] = [];
    bo.client.on('message.new', (event) => event.cid === cid && received.push(event.seq ?? 0));
    const sent = await countBus();

    const send = (text: string) =>
      raw.call('POST /channels/{type}/{id}/message', { path, body: { message: { text } } });
    const texts = Array.from({ length: 40 }, (_, n) => `text ${n}`);
    const replies = await Promise.all(texts.map(send));

    await until(() => received.length >= 40, 'the messages at the other server');
    const seqs = replies.map(({ seq }) => seq ?? 0).sort((one, other) => one - other);
    expect(received).toEqual(seqs);
    expect(new Set(textsOf(bo, cid))).toEqual(new Set(texts));

    // How many commits the messages took depends on the machine; these are published in one turn, as those of one commit are.
    await until(() => sent() > 0, 'the texts of the messages on the bus');
    const before = sent();
    for (let n = 0; n < 40; n++)
      chat.server.kernel.publishTransient({
        kind: 'channel',
        cid,
        type: 'nudge',
        json: `{"type":"nudge","n":${n}}`,
      });
    await ana.client.messages.send(cid, { text: 'the last' });
    await until(() => received.length >= 41, 'the message behind them');
    await until(() => sent() > before, 'the texts of the events on the bus');
    expect(sent() - before).toBeLessThan(20);
  });

  test('W4 a member who does not watch is notified by the other server, and counts as unread', async () => {
    const { cid } = await makeRoom();
    const di = await connectToOther('di');
    await chat.admin.channels.create('messaging', 'di-room', { created_by_id: 'cy', members: ['ana', 'di'] });
    const received: string[] = [];
    di.client.on('notification.message_new', (event) =>
      received.push((event.message as { text: string }).text),
    );
    await ana.client.messages.send('messaging:di-room', { text: 'psst' });

    await until(() => received.length > 0, 'the notification');
    expect(received).toEqual(['psst']);
    expect(textsOf(bo, cid)).toEqual([]);
    await di.client.disconnect();
  });

  test('W4 typing, reads and a changed name cross', async () => {
    const { cid, path } = await makeRoom();
    const typed: string[] = [];
    bo.client.on('typing.start', (event) => typed.push(event.user?.id ?? ''));
    const raw = await chat.as('ana');
    await raw.call('POST /channels/{type}/{id}/event', {
      path,
      body: { event: { type: 'typing.start' } },
    });
    await ana.client.messages.send(cid, { text: 'hello' });
    await until(() => typed.length > 0 && textsOf(bo, cid)?.length === 1, 'typing and message at Bo');
    await bo.client.reads.markRead(cid);
    await until(() => stateOf(ana, cid)?.read.bo?.last_read_number === 1, 'the read at Ana');
    const names: (string | undefined)[] = [];
    bo.client.on('user.updated', ({ user }) => void names.push(user.name));
    await chat.admin.users.upsert([{ id: 'ana', name: 'Ana the Second' }]);

    await until(() => names.includes('Ana the Second'), 'the name at Bo');
  });

  test('W4 a member who is removed at one server neither reads nor writes at the other', async () => {
    const { cid, path } = await makeRoom();
    const unwatched: string[] = [];
    bo.client.on('notification.removed_from_channel', (event) => void unwatched.push(event.cid ?? ''));
    await chat.admin.channels.removeMembers(cid, ['bo']);

    await until(() => unwatched.includes(cid), 'the removal at Bo');
    await expect(bo.client.messages.send(cid, { text: 'still here?' })).rejects.toThrow(
      /Not allowed|No channel/,
    );
    await ana.client.messages.send(cid, { text: 'alone at last' });
    expect(textsOf(bo, cid) ?? []).not.toContain('alone at last');
    expect(path.type).toBe('messaging');
  });

  test('W4 an event for several users of the other server reaches each of them once', async () => {
    const di = await connectToOther('di');
    const { cid } = await makeRoom(['ana', 'bo', 'di']);
    const received: string[] = [];
    bo.client.on('notification.channel_deleted', (event) => void received.push(`bo ${event.cid}`));
    di.client.on('notification.channel_deleted', (event) => void received.push(`di ${event.cid}`));

    await chat.admin.channels.delete(cid);
    await until(() => received.length >= 2, 'the deletion at both');
    await new Promise((resolve) => setTimeout(resolve, 300));

    expect(received.sort()).toEqual([`bo ${cid}`, `di ${cid}`]);
    await di.client.disconnect();
  });

  test('W4 a channel that is made anew under the id of one that was deleted for good is followed on both', async () => {
    const { id, cid } = await makeRoom();
    for (let n = 0; n < 5; n++) await ana.client.messages.send(cid, { text: `old ${n}` });
    await until(() => textsOf(bo, cid)?.length === 5, 'the messages of the first channel');
    await chat.admin.channels.delete(cid, { hard: true });
    await new Promise((resolve) => setTimeout(resolve, 1200));
    await chat.admin.channels.create('messaging', id, { created_by_id: 'cy', members: ['ana', 'bo'] });
    await ana.client.channels.open('messaging', id);
    await bo.client.channels.open('messaging', id);

    await ana.client.messages.send(cid, { text: 'new' });

    await until(() => textsOf(bo, cid)?.at(-1) === 'new', 'the message of the second channel');
    expect(textsOf(bo, cid)).toEqual(['new']);
  });

  test('W4 a server that was taken for dead says again who watches on it', async () => {
    const { path } = await makeRoom();
    const raw = await chat.as('ana');
    const count = async () =>
      (await raw.call('POST /channels/{type}/{id}/query', { path, body: { state: true } })).watcher_count;
    await until(async () => (await count()) === 2, 'both watchers');
    const { pool } = chat.server.kernel.pools;
    const dead = 'delete from servers where id = (select id from servers order by started_at desc limit 1)';
    const { rows } = await pool.query(`${dead} returning id`);
    await pool.query('delete from watcher_counts where server_id = $1', [rows[0].id]);

    await until(async () => (await count()) === 2, 'both watchers again');
  });

  test('W4 a member who is removed while the bus is away gets nothing more at the other server', async () => {
    const { cid } = await makeRoom();
    const texts: unknown[] = [];
    bo.client.on('message.new', (event) => event.cid === cid && texts.push(event.message.text));
    await ana.client.messages.send(cid, { text: 'before' });
    await until(() => texts.length === 1, 'the message before');
    await loseBus();
    await chat.admin.channels.removeMembers(cid, ['bo']);
    await new Promise((resolve) => setTimeout(resolve, 3000));

    await ana.client.messages.send(cid, { text: 'among us' });
    await new Promise((resolve) => setTimeout(resolve, 1500));

    expect(texts).toEqual(['before']);
    await mendBus();
  });

  test('W4 somebody who is deactivated at one server is refused at the other at once', async () => {
    const di = await connectToOther('di');
    await chat.admin.users.deactivate('di');

    await until(() => di.client.connection.get().status !== 'online', 'the end of the connection');
    await chat.admin.users.reactivate('di');
  });

  test('C7 presence is of the deployment: online on either server, offline when gone from both', async () => {
    const { id } = await makeRoom(['ana', 'bo', 'cy', 'di']);
    const isOnline = ({ client }: TestClient, userId = 'di') => client.presence.isOnline(userId).get();
    const isCyOnline = () => isOnline(ana, 'cy') || isOnline(bo, 'cy');
    const [here, there] = [await chat.connect('di'), await connectToOther('di')];
    const both = [await chat.connect('cy'), await connectToOther('cy')];
    await until(() => isOnline(ana) && isOnline(bo), 'that Di is online');
    await until(() => isOnline(ana, 'cy') && isOnline(bo, 'cy'), 'that Cy is online');
    // Of Cy, each server sees the last connection end while the other still has one.
    await Promise.all([here, ...both].map(({ client }) => client.disconnect()));
    await new Promise((resolve) => setTimeout(resolve, 3500));
    expect([isOnline(ana), isOnline(bo)]).toEqual([true, true]);
    await there.client.disconnect();

    await until(() => !isCyOnline(), 'that Cy is gone');
    await until(() => !isOnline(ana) && !isOnline(bo), 'that Di is gone');
    const raw = await chat.as('ana');
    const path = { type: 'messaging', id };
    // The number is stored a moment after it has changed.
    const count = async () =>
      (await raw.call('POST /channels/{type}/{id}/query', { path, body: { state: true } })).watcher_count;
    await until(async () => (await count()) === 2, 'the watchers of both servers');
  });

  test('W4 while the bus is away events are read from the log, in order and once', async () => {
    const { cid } = await makeRoom();
    const { cid: gone } = await makeRoom();
    await loseBus();
    await chat.admin.channels.delete(gone, { hard: true });

    for (let n = 0; n < 5; n++) await ana.client.messages.send(cid, { text: `lost ${n}` });
    await until(() => textsOf(bo, cid)?.length === 5, 'the messages by the log');
    await until(() => !stateOf(bo, gone), 'the end of the channel that was deleted for good');
    await mendBus();
    for (let n = 5; n < 10; n++) await ana.client.messages.send(cid, { text: `lost ${n}` });

    await until(() => textsOf(bo, cid)?.length === 10, 'the messages by the bus');
    expect(textsOf(bo, cid)).toEqual(Array.from({ length: 10 }, (_, n) => `lost ${n}`));
  });

  test('C11 a token that is revoked while the bus is away is refused by the other server within 5 s', async () => {
    const call = () =>
      fetch(`${other.url}/api/unread`, { headers: { 'x-api-key': chat.apiKey, authorization: token } });
    const token = await chat.token('di');
    expect((await call()).status).toBe(200);
    await loseBus();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await chat.admin.revokeUserToken('di', new Date());
    const began = Date.now();

    await until(async () => (await call()).status === 401, 'the refusal');
    expect(Date.now() - began).toBeLessThan(8000);
    await mendBus();
  });
});

test('W4 a server starts while NATS is away, is ready, heals by the log, and receives from the others when NATS is there', async ({
  skip,
}) => {
  if ('missing' in nats) return skip(nats.missing);
  const chat = await createTestChat({ users: ['ana', 'bo'], config: { bus: nats.bus } });
  await nats.kill();
  const late = await startServer({ ...chat.server.kernel.config, port: 0 });
  onTestFinished(async () => {
    await late.stop();
    await chat.stop();
  });
  const readiness = async () => {
    const response = await fetch(`${late.url}/readyz`);
    return { status: response.status, body: await response.json() };
  };
  const isBusUp = async () => /^parley_bus_up 1$/m.test(await (await fetch(`${late.url}/metrics`)).text());
  // All servers miss NATS at the same time: a balancer must go on sending calls to them.
  expect(await readiness()).toEqual({ status: 200, body: { status: 'ready', degraded: ['bus'] } });
  expect(await isBusUp()).toBe(false);
  await chat.admin.channels.create('messaging', 'early', { created_by_id: 'ana', members: ['ana', 'bo'] });
  const bo = await chat.connect('bo', { baseUrl: `${late.url}/api` });
  const cid = await bo.client.channels.open('messaging', 'early');
  const textsOf = () =>
    bo.client.channels
      .state(cid)
      .get()
      ?.messages.map(({ text }) => text);
  const ana = await chat.as('ana');
  const path = { type: 'messaging', id: 'early' };
  const send = (text: string) =>
    ana.call('POST /channels/{type}/{id}/message', { path, body: { message: { text } } });
  await send('by the log');
  await until(() => textsOf()?.length === 1, 'the message by the log');
  const connection = bo.client.connection.get();
  const connection_id = connection.status === 'online' ? connection.connectionId : '';
  // The balancer sent the call of Bo to the other server, and the database carries its question.
  const named = { path, query: { connection_id }, body: { watch: true } };
  await until(async () => {
    const asked = (await chat.as('bo')).call('POST /channels/{type}/{id}/query', named);
    return asked.then(
      () => true,
      () => false,
    );
  }, 'the answer of the server that holds the connection');

  await nats.restart();
  await until(isBusUp, 'the bus');
  expect(await readiness()).toEqual({ status: 200, body: { status: 'ready' } });
  await send('by the bus');
  await until(() => textsOf()?.length === 2, 'the message by the bus');
});

/** Somebody else who may read and publish on the same NATS. */
const joinNats = async (address: string) => {
  const [host, port] = address.split(':');
  const socket = connect(Number(port), host);
  const received: { subject: string; text: string }[] = [];
  let rest = '';
  socket.on('data', (data) => {
    rest += data;
    for (let at = rest.indexOf('\r\n'); at !== -1; at = rest.indexOf('\r\n')) {
      const [verb, subject = '', , bytes] = rest.slice(0, at).split(' ');
      const end = at + 2 + (verb === 'MSG' ? Number(bytes) + 2 : 0);
      if (rest.length < end) return;
      if (verb === 'MSG') received.push({ subject, text: rest.slice(at + 2, end - 2) });
      rest = rest.slice(end);
    }
  });
  const publish = (subject: string, text: string) =>
    socket.write(`PUB ${subject} ${Buffer.byteLength(text)}\r\n${text}\r\n`);
  socket.write('CONNECT {"verbose":false}\r\nSUB parley.> 1\r\n');
  return { received, publish, leave: () => socket.destroy() };
};

test('W4 texts that somebody else publishes on the same NATS are not believed, nor those that they recorded and send again', async ({
  skip,
}) => {
  if ('missing' in nats) return skip(nats.missing);
  const chat = await createTestChat({ users: ['ana', 'bo'], config: { bus: nats.bus } });
  const other = await startServer({ ...chat.server.kernel.config, port: 0 });
  const stranger = await joinNats(nats.bus.servers[0] ?? '');
  onTestFinished(async () => {
    stranger.leave();
    await other.stop();
    await chat.stop();
  });
  await chat.admin.channels.create('messaging', 'den', { created_by_id: 'ana', members: ['ana', 'bo'] });
  const bo = await chat.connect('bo', { baseUrl: `${other.url}/api` });
  const cid = await bo.client.channels.open('messaging', 'den');
  const received: string[] = [];
  for (const one of [
    'typing.start',
    'typing.stop',
    'notification.ephemeral_message',
    'connection.draining',
  ] as const)
    bo.client.on(one, ({ type }) => void received.push(type));
  const raw = await chat.as('ana');
  const type = async (event: 'typing.start' | 'typing.stop') =>
    raw.call('POST /channels/{type}/{id}/event', {
      path: { type: 'messaging', id: 'den' },
      body: { event: { type: event } },
    });
  await type('typing.start');
  await until(() => received.includes('typing.start'), 'the typing');
  await until(() => stranger.received.some(({ text }) => text.includes('typing.start')), 'the record of it');

  const [deployment] = stranger.received.flatMap(({ subject }) => subject.split('.')[1] ?? []);
  const subjectOf = (kind: string, name: string) =>
    `parley.${deployment}.${kind}.${Buffer.from(name).toString('base64url')}`;
  const event = { kind: 'users', userIds: ['bo'], type: 'notification.ephemeral_message' };
  const forged = JSON.stringify({ from: 'x', kind: 'event', event });
  stranger.publish(subjectOf('user', 'bo'), `${forged}\t{"type":"notification.ephemeral_message"}`);
  stranger.publish(`parley.${deployment}.all`, JSON.stringify({ from: 'x', kind: 'hello', lost: 'all' }));
  for (const { subject, text } of [...stranger.received]) {
    stranger.publish(subject, text);
    stranger.publish(subjectOf('user', 'bo'), text);
  }
  await type('typing.stop');
  await until(() => received.includes('typing.stop'), 'what a server sends after all of it');

  expect(received).toEqual(['typing.start', 'typing.stop']);
  expect(await (await fetch(`${other.url}/metrics`)).text()).toMatch(/^parley_servers 2$/m);
  expect(bo.client.channels.state(cid).get()?.messages).toEqual([]);
});

test('W4 where NATS takes short texts only, longer ones go by the database', async ({ skip }) => {
  const small = await startNats({ maxPayload: 1024 });
  if ('missing' in small) return skip(small.missing);
  const chat = await createTestChat({ users: ['ana', 'bo'], config: { bus: small.bus } });
  const other = await startServer({ ...chat.server.kernel.config, port: 0 });
  onTestFinished(async () => {
    await other.stop();
    await chat.stop();
    await small.kill();
  });
  const bo = await chat.connect('bo', { baseUrl: `${other.url}/api` });
  const received: string[] = [];
  bo.client.on('notification.added_to_channel', ({ channel }) => void received.push(channel.cid));
  bo.client.on('notification.message_new', ({ message }) => void received.push(message.text ?? ''));
  await chat.admin.channels.create('messaging', 'long', {
    ...{ created_by_id: 'ana', members: ['ana', 'bo'], description: 'd'.repeat(2000) },
  });
  await until(() => received.length === 1, 'the notification of the channel');
  const text = 'x'.repeat(2000);
  const path = { type: 'messaging', id: 'long' };
  await (await chat.as('ana')).call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text } },
  });

  await until(() => received.length === 2, 'the long message');
  expect(received).toEqual(['messaging:long', text]);
});

test('C7 users whose events another server could not send read their state anew and stay online, and nobody else does', async () => {
  const alone = await createTestChat({ users: ['ana', 'bo'] });
  onTestFinished(() => alone.stop());
  const [ana, bo] = [
    await alone.connect('ana'),
    await alone.connect('bo', { environment: { random: () => 0 } }),
  ];
  await ana.client.presence.follow(['bo']);
  const isBoOnline = ana.client.presence.isOnline('bo');
  const seen = new Set([isBoOnline.get()]);
  isBoOnline.subscribe(() => seen.add(isBoOnline.get()));
  const statuses = new Set<string>();
  bo.client.connection.subscribe(() => statuses.add(bo.client.connection.get().status));
  const [ofAna, ofBo] = [ana.client.connection.get(), bo.client.connection.get()];
  const text = JSON.stringify({ from: crypto.randomUUID(), kind: 'hello', lost: ['bo'] });

  await alone.server.kernel.pools.pool.query('select pg_notify($1, $2)', ['parley_bus', text]);

  await until(() => bo.client.connection.get() !== ofBo, 'the next connection');
  const metrics = async () => (await fetch(`${alone.url}/metrics`)).text();
  await until(async () => /^parley_connections 2$/m.test(await metrics()), 'the end of the last one');
  expect(bo.client.connection.get()).not.toEqual(ofBo);
  expect(ana.client.connection.get()).toBe(ofAna);
  expect([[...statuses], [...seen]]).toEqual([['online'], [true]]);
});

test('W4 a server that is alone keeps its connections when the way to others was broken', async () => {
  const alone = await createTestChat({ users: ['ana'] });
  const { pool } = alone.server.kernel.pools;
  const findListening = async () => (await pool.query(`select pid ${listening}`)).rows[0]?.pid;
  const ana = await alone.connect('ana');
  const before = await findListening();
  const statuses: string[] = [];
  ana.client.connection.subscribe(() => void statuses.push(ana.client.connection.get().status));
  vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(async () => {
    vi.restoreAllMocks();
    await alone.stop();
  });

  await pool.query(`select pg_terminate_backend(pid) ${listening}`);
  await until(async () => ![undefined, before].includes(await findListening()), 'the new way');
  await new Promise((resolve) => setTimeout(resolve, 300));

  expect(statuses).toEqual([]);
});
