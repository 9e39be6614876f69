import { selectTypers } from '@parley/client';
import { startServer } from '@parley/server';
import {
  type Caller,
  createCaller,
  createTestChat,
  signToken,
  type TestChat,
  type TestClient,
  until,
} from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type BusCase, startBuses } from './buses.ts';
import { connectFrame, openSocket, soon } from './support.ts';

const cases: (BusCase & { isAlone?: boolean })[] = [
  { name: 'one process', bus: undefined, isAlone: true },
  ...(await startBuses()).cases,
];

describe.each(cases)('on $name', ({ bus, isAlone = false }) => {
  /** Two servers on one database. Connections are at the first, and the calls that name them arrive at the second, as behind a balancer
   * without sticky sessions. In one process both are the same server. */
  let chat: TestChat;
  let other: Awaited<ReturnType<typeof startServer>>;
  let ana: TestClient;
  let bo: TestClient;

  const crossing = () => ({
    fetch: (url: string, init: RequestInit) => fetch(url.replace(chat.url, other.url), init),
  });

  beforeAll(async () => {
    chat = await createTestChat({ users: ['ana', 'bo', 'cy', 'di'], config: { bus } });
    other = isAlone ? chat.server : await startServer({ ...chat.server.kernel.config, port: 0 });
    ana = await chat.connect('ana', { environment: crossing() });
    bo = await chat.connect('bo', { baseUrl: `${other.url}/api` });
  });
  afterAll(async () => {
    await bo?.client.disconnect();
    if (!isAlone) await other?.stop();
    await chat?.stop();
  });

  /** Calls of a user at the server that holds no connection of theirs. */
  const atOther = (userId: string): Promise<Caller> =>
    createCaller({ baseUrl: `${other.url}/api`, apiKey: chat.apiKey, token: () => chat.token(userId) });

  /** Calls with the server's secret. */
  const serverSide = (): Promise<Caller> =>
    createCaller({
      ...{ baseUrl: `${other.url}/api`, apiKey: chat.apiKey },
      token: async () => signToken(chat.secret, { server: true, user_id: 'ana' }),
    });

  let serial = 0;
  const makeRoom = async (members = ['ana', 'bo']) => {
    const id = `room-${++serial}`;
    await chat.admin.channels.create('messaging', id, { created_by_id: 'cy', members });
    return { cid: `messaging:${id}`, path: { type: 'messaging', id } };
  };
  const stateOf = ({ client }: TestClient, cid: string) => client.channels.state(cid).get();
  const textsOf = (who: TestClient, cid: string) => stateOf(who, cid)?.messages.map(({ text }) => text) ?? [];
  const typersOf = (who: TestClient, cid: string): string[] => {
    const state = stateOf(who, cid);
    return state ? selectTypers(state, undefined).map(({ id }) => id) : [];
  };

  /** A socket at the first server, without the SDK. */
  const connect = async (userId: string, url = chat.url) => {
    const socket = openSocket({ url, apiKey: chat.apiKey });
    onTestFinished(() => socket.close());
    await socket.opened;
    socket.send(connectFrame(await chat.token(userId), { user_id: userId }));
    const hello = await until(() => socket.frames[0], 'the hello');
    const types = (cid: string) => socket.frames.filter((frame) => frame.cid === cid).map(({ type }) => type);
    return { socket, types, query: { connection_id: String(hello.connection_id) } };
  };

  test('W4 a call at another server watches a channel by the connection of its caller, and stops watching', async () => {
    const { cid, path } = await makeRoom();
    const { types, query } = await connect('ana');
    const caller = await atOther('ana');

    await caller.call('POST /channels/{type}/{id}/query', {
      path,
      query,
      body: { watch: true, state: true },
    });
    await chat.admin.messages.send(cid, 'cy', { text: 'one' });
    await until(() => types(cid).includes('message.new'), 'the event of the watched channel');
    await caller.call('POST /channels/{type}/{id}/stop-watching', { path, query, body: {} });
    await chat.admin.messages.send(cid, 'cy', { text: 'two' });

    // A member who does not watch is notified.
    await until(() => types(cid).includes('notification.message_new'), 'the notification');
    expect(types(cid).filter((type) => type === 'message.new')).toHaveLength(1);
  });

  test('W4 lists of channels and of threads watch by a connection of another server', async () => {
    const { cid, path } = await makeRoom();
    const message = await chat.admin.messages.send(cid, 'ana', { text: 'parent' });
    await chat.admin.messages.send(cid, 'ana', { text: 'reply', parent_id: message.id });
    const [one, two] = [await connect('ana'), await connect('ana')];
    const caller = await atOther('ana');

    const filter = { cid: { $in: [cid] } };
    await caller.call('POST /channels', { query: one.query, body: { filter, watch: true, presence: true } });
    await caller.call('POST /threads', { query: two.query, body: { watch: true } });
    await chat.admin.messages.send(cid, 'cy', { text: 'to both' });

    for (const { types } of [one, two])
      await until(() => types(cid).includes('message.new'), 'the event of the watched channel');
    expect(path.type).toBe('messaging');
  });

  test('W4 a connection is named by its owner alone, wherever the call arrives', async () => {
    const { path } = await makeRoom(['ana', 'bo', 'di']);
    const { query, types } = await connect('ana');
    const id = query.connection_id;
    expect(id).toMatch(/^[\w.-]{1,64}$/);
    const named = (connection_id: string, caller: Caller) =>
      caller.refused('POST /channels/{type}/{id}/query', {
        path,
        query: { connection_id },
        body: { watch: true },
      });
    const refusal = { name: 'InputInvalid', details: [{ path: 'connection_id' }] };
    const stranger = await atOther('bo');
    const owner = await atOther('ana');
    const unknown = `${id.slice(0, 23)}${'A'.repeat(22)}`;
    const nowhere = `${'A'.repeat(22)}${id.slice(22)}`;

    expect(await named(id, stranger)).toMatchObject(refusal);
    for (const bad of [unknown, nowhere, crypto.randomUUID(), 'x', '.', `${id}.${id}`.slice(0, 64)])
      expect(await named(bad, owner), bad).toMatchObject(refusal);
    expect(await named(id, await serverSide())).toMatchObject(refusal);
    expect(types(`messaging:${path.id}`)).toEqual([]);
  });

  test('W4 a connection whose server is gone is unknown at once', async () => {
    const { path } = await makeRoom();
    const third = await startServer({ ...chat.server.kernel.config, port: 0 });
    const { query, socket } = await connect('ana', third.url);
    const caller = await atOther('ana');
    await caller.call('POST /channels/{type}/{id}/query', { path, query, body: { watch: true } });
    await third.stop();
    expect((await socket.closed).code).toBe(1001);

    const began = Date.now();
    const refused = await caller.refused('POST /channels/{type}/{id}/query', {
      path,
      query,
      body: { watch: true },
    });

    expect(refused).toMatchObject({ name: 'InputInvalid', details: [{ path: 'connection_id' }] });
    expect(Date.now() - began).toBeLessThan(2500);
  });

  test('W4 a long-poll is answered at any server: what was not acknowledged comes again, and others get nothing', async () => {
    const { cid, path } = await makeRoom();
    const here = await chat.as('ana');
    const there = await atOther('ana');
    const { connection_id = '' } = await here.call('POST /longpoll', {
      body: { payload: { user_id: 'ana' } },
    });
    await there.call('POST /channels/{type}/{id}/query', {
      path,
      query: { connection_id },
      body: { watch: true },
    });
    type Poll = { events: { message?: { text: string } }[]; last?: number };
    const textsOfPoll = ({ events }: Poll) => events.flatMap(({ message }) => message?.text ?? []);
    /** Polls at the other server until a message is there. Answers in between hold who came online. */
    const poll = (ack = 0) =>
      until(async () => {
        const reply = (await there.call('POST /longpoll', { body: { connection_id, ack } })) as Poll;
        return textsOfPoll(reply).length > 0 && reply;
      }, 'a message');
    const waiting = poll();
    await chat.admin.messages.send(cid, 'cy', { text: 'one' });

    const first = await waiting;
    const again = await poll();
    await chat.admin.messages.send(cid, 'cy', { text: 'two' });
    const second = await poll(first.last);
    expect([first, again, second].map(textsOfPoll)).toEqual([['one'], ['one'], ['two']]);
    // An answer that is too long for the bus goes through the database, and stays there no longer than it takes.
    const text = 'x'.repeat(20_000);
    await chat.admin.messages.send(cid, 'cy', { text });
    for (let n = 0; n < 3; n++) expect(textsOfPoll(await poll(second.last))).toEqual([text]);
    const { pool } = chat.server.kernel.pools;
    expect((await pool.query(`select 1 from bus_texts where text like '%"kind":"answer"%'`)).rows).toEqual(
      [],
    );
    const stranger = await atOther('bo');
    expect((await stranger.refused('POST /longpoll', { body: { connection_id, ack: 0 } })).name).toBe(
      'NotFound',
    );
    expect((await stranger.refused('DELETE /longpoll', { query: { connection_id } })).name).toBe('NotFound');
    await there.call('DELETE /longpoll', { query: { connection_id } });
    for (const caller of [here, there])
      expect((await caller.refused('POST /longpoll', { body: { connection_id, ack: 0 } })).name).toBe(
        'NotFound',
      );
  });

  test('W4 a client that polls at each server in turn misses nothing and shows nothing twice', async () => {
    const { cid, path } = await makeRoom();
    let turn = 0;
    const { client } = await chat.connect('ana', {
      environment: {
        WebSocket: undefined,
        fetch: (url, init) => fetch(turn++ % 2 === 0 ? url : url.replace(chat.url, other.url), init),
      },
    });
    await client.channels.open(path.type, path.id);
    const sent = Array.from({ length: 12 }, (_, n) => `m${n}`);

    for (const text of sent) await chat.admin.messages.send(cid, 'cy', { text });

    const texts = () =>
      client.channels
        .state(cid)
        .get()
        ?.messages.map(({ text }) => text);
    await until(() => texts()?.length === sent.length, 'all messages');
    expect(texts()).toEqual(sent);
    expect(client.connection.get()).toMatchObject({ status: 'online', transport: 'longpoll' });
    await client.disconnect();
  });

  test('W4 a text of a kind that only a later version knows is no fault', async () => {
    const failed = vi.spyOn(chat.server.app.log, 'error');
    const text = JSON.stringify({ from: other.kernel.others.self, kind: 'later' });
    await chat.server.kernel.pools.pool.query(`select pg_notify('parley_bus', $1)`, [text]);

    await textsCross((await makeRoom()).cid);
    expect(failed).not.toHaveBeenCalled();
  });

  test('M9 typing crosses servers, whichever the calls of the typer arrive at', async () => {
    const { cid, path } = await makeRoom();
    for (const { client } of [ana, bo]) await client.channels.open(path.type, path.id);

    ana.client.typing.keystroke(cid);
    await until(() => typersOf(bo, cid).includes('ana'), 'Ana typing at Bo');
    bo.client.typing.keystroke(cid);
    await until(() => typersOf(ana, cid).includes('bo'), 'Bo typing at Ana');
    for (const { client } of [ana, bo]) client.typing.stop(cid);

    await until(() => typersOf(ana, cid).length === 0 && typersOf(bo, cid).length === 0, 'the stops');
  });

  test('M10 reads and unread counts cross servers, whichever the calls of the reader arrive at', async () => {
    const { cid, path } = await makeRoom();
    for (const { client } of [ana, bo]) await client.channels.open(path.type, path.id);
    const second = await chat.connect('ana', { baseUrl: `${other.url}/api` });
    await second.client.channels.open(path.type, path.id);
    await bo.client.messages.send(cid, { text: 'one' });
    await bo.client.messages.send(cid, { text: 'two' });
    const unread = (who: TestClient) => stateOf(who, cid)?.unread;
    await until(() => unread(ana) === 2 && unread(second) === 2, 'two unread on both devices');

    await ana.client.reads.markRead(cid);

    await until(() => unread(ana) === 0 && unread(second) === 0, 'none unread on both devices');
    await until(() => stateOf(bo, cid)?.read.ana?.last_read_number === 2, 'the read at Bo');
    await second.client.disconnect();
  });

  test('C7 presence is followed by a connection of another server', async () => {
    const { path } = await makeRoom(['ana', 'di']);
    await ana.client.channels.open(path.type, path.id);
    const isOnline = () => ana.client.presence.isOnline('di').get();
    expect(isOnline()).toBe(false);

    const di = await chat.connect('di', { baseUrl: `${other.url}/api` });
    await until(isOnline, 'that Di is online');
    await di.client.disconnect();

    await until(() => !isOnline(), 'that Di is gone');
  });

  test('P4 a due reminder reaches the devices of its owner on both servers, each once', async () => {
    const { cid } = await makeRoom();
    const message = await chat.admin.messages.send(cid, 'cy', { text: 'Look at the build' });
    const second = await chat.connect('ana', { baseUrl: `${other.url}/api` });
    const due: string[] = [];
    ana.client.on('notification.reminder_due', () => void due.push('first'));
    second.client.on('notification.reminder_due', () => void due.push('second'));
    const caller = await atOther('ana');

    const path = { id: message.id };
    await soon((remind_at) => caller.call('POST /messages/{id}/reminders', { path, body: { remind_at } }));

    await until(() => due.length >= 2, 'the reminder on both devices');
    await textsCross(cid);
    expect(due.sort()).toEqual(['first', 'second']);
    await second.client.disconnect();
  });

  /** A later event crosses in both directions: an earlier one that came twice would be there by now. */
  const textsCross = async (cid: string): Promise<void> => {
    const [type = '', id = ''] = cid.split(':');
    for (const { client } of [ana, bo]) await client.channels.open(type, id);
    await ana.client.messages.send(cid, { text: 'from Ana' });
    await bo.client.messages.send(cid, { text: 'from Bo' });
    await until(() => [ana, bo].every((who) => textsOf(who, cid).includes('from Bo')), 'both messages');
  };
});
