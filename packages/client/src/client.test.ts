import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ClientOptions, createClient, NetworkError, type ParleyClient } from './index.ts';
import { type ChatDouble, startChatDouble } from './testing/chat-double.ts';

const cid = 'messaging:general';
let server: ChatDouble;
let clients: ParleyClient[] = [];
const warn = vi.fn();

const make = (options: Partial<ClientOptions> = {}): ParleyClient => {
  const log = {
    warn,
    error: (text: string, data?: unknown) => {
      throw new Error(text, { cause: data });
    },
  };
  const client = createClient({ apiKey: 'key', baseUrl: server.url, log, ...options });
  clients.push(client);
  return client;
};
const connected = async (options: Partial<ClientOptions> = {}): Promise<ParleyClient> => {
  const client = make(options);
  await client.connectUser({ id: 'ann', name: 'Ann' }, 'ann');
  return client;
};
const textsOf = (client: ParleyClient) =>
  client.channels
    .state(cid)
    .get()
    ?.messages.map(({ text }) => text);

beforeEach(async () => {
  server = await startChatDouble();
  warn.mockReset();
});
afterEach(async () => {
  for (const client of clients) await client.disconnect();
  clients = [];
  await server.stop();
});

test('C1 a user connects; the first frame carries user_id, user_details, device, client_request_id', async () => {
  const client = await connected({ device: { id: 'd1' } });

  expect(client.me.get()?.id).toBe('ann');
  expect(client.connection.get()).toMatchObject({ status: 'online', transport: 'ws' });
  expect(server.frames[0]).toMatchObject({
    type: 'connect',
    token: 'ann',
    auth_type: 'jwt',
    payload: {
      user_id: 'ann',
      user_details: { id: 'ann', name: 'Ann' },
      device: { id: 'd1' },
      client_request_id: expect.any(String),
    },
  });
});

test('C1 a user without an id is refused', async () => {
  await expect(make().connectUser({ id: '' }, 'x')).rejects.toThrow('The id field on the user is missing');
});

test('C2 an anonymous user connects without a token', async () => {
  const client = make();

  const me = await client.connectAnonymous();

  expect(me.id).toBe('anonymous-1');
  expect(server.frames[0]).toMatchObject({ auth_type: 'anonymous' });
  expect(server.frames[0]?.token).toBeUndefined();
});

test('C2 a guest gets a user and a token of its own', async () => {
  const client = make();

  await client.connectGuest({ id: 'tom' });

  expect(server.frames[0]).toMatchObject({ token: 'guest-tom', payload: { user_id: 'guest-tom' } });
});

test('C3 a second, different user is refused until the first disconnects', async () => {
  const client = await connected();

  await expect(client.connectUser({ id: 'bea' }, 'bea')).rejects.toThrow(
    'Use the disconnect call before connecting as a different user',
  );
  await client.disconnect();
  expect((await client.connectUser({ id: 'bea' }, 'bea')).id).toBe('bea');
});

test('C4 consecutive connects of one user give the same pending result, with a warning', async () => {
  const client = make();

  const first = client.connectUser({ id: 'ann' }, 'ann');
  const second = client.connectUser({ id: 'ann' }, 'ann');

  expect(second).toBe(first);
  expect(warn).toHaveBeenCalledOnce();
  await first;
  expect(client.connectUser({ id: 'ann' }, 'ann')).toBe(first);
  expect(server.socketCount()).toBe(1);
});

test('C4 connect, disconnect, connect as React Strict Mode does leaves one socket', async () => {
  const client = make();

  const dropped = client.connectUser({ id: 'ann' }, 'ann');
  void client.disconnect();
  await client.connectUser({ id: 'ann' }, 'ann');

  await expect(dropped).rejects.toThrow('Disconnected');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([server.socketCount(), server.sockets.size]).toEqual([1, 1]);
});

test('C5 disconnect clears channels and token; calls then say that no user is set', async () => {
  const client = await connected();
  await client.channels.open('messaging', 'general');

  await client.disconnect();

  expect(client.channels.state(cid).get()).toBeUndefined();
  expect([client.channels.active.get(), client.me.get()]).toEqual([[], undefined]);
  await expect(client.messages.send(cid, { text: 'hi' })).rejects.toThrow('User is not set on client');
  await expect(client.channels.open('messaging', 'general')).rejects.toThrow('User is not set on client');
  await expect(client.users.query()).rejects.toThrow('User is not set on client');
});

test('C6 a refused first connection disconnects the user when asked to', async () => {
  server.faults.refuse = () => 'AuthenticationFailed';
  const client = make({ keepUserOnConnectFailure: false });

  await expect(client.connectUser({ id: 'ann' }, 'ann')).rejects.toMatchObject({
    name: 'AuthenticationFailed',
  });

  server.faults.refuse = () => undefined;
  expect((await client.connectUser({ id: 'bea' }, 'bea')).id).toBe('bea');
});

test('C6 a failed first connection keeps the user by default, and goes on trying', async () => {
  server.faults.fault = () => 'drop';
  server.faults.blockSockets = true;
  const client = make({ environment: { random: () => 0 } });

  await expect(client.connectUser({ id: 'ann' }, 'ann')).rejects.toBeInstanceOf(NetworkError);
  await expect(client.connectUser({ id: 'bea' }, 'bea')).rejects.toThrow('Use the disconnect call');
  server.faults.fault = () => undefined;
  server.faults.blockSockets = false;

  await vi.waitFor(() => expect(client.connection.get().status).toBe('online'), 5000);
});

test('C7 events missed while away are filled from the log, each event once', async () => {
  const client = await connected({ environment: { random: () => 0 } });
  await client.channels.open('messaging', 'general');
  server.state.post(cid, { text: 'one' });
  const recovered = new Promise((resolve) => client.on('connection.recovered', resolve));

  server.dropSockets();
  await vi.waitFor(() => expect(client.connection.get().status).toBe('waiting'));
  server.state.post(cid, { text: 'two' });
  server.state.post(cid, { text: 'three' });
  await recovered;
  server.state.post(cid, { text: 'four' });

  await vi.waitFor(() => expect(textsOf(client)).toEqual(['one', 'two', 'three', 'four']));
  const query = server.requests.filter(({ path }) => path === '/channels').at(-1);
  expect(query?.body).toMatchObject({
    limit: 30,
    watch: true,
    state: false,
    sort: [{ field: 'last_message_at', direction: -1 }],
  });
});

test('C7 a hole in the numbers is filled by sync while online', async () => {
  const client = await connected();
  await client.channels.open('messaging', 'general');

  server.state.isMuted = true;
  server.state.post(cid, { text: 'lost' });
  server.state.isMuted = false;
  server.state.post(cid, { text: 'seen' });

  await vi.waitFor(() => expect(textsOf(client)).toEqual(['lost', 'seen']));
});

test('C8 where sockets are blocked, long-polling carries the events', async () => {
  server.faults.blockSockets = true;
  const client = make({ environment: { random: () => 0 } });

  await client.connectUser({ id: 'ann' }, 'ann');
  await client.channels.open('messaging', 'general');
  server.state.post(cid, { text: 'one' });
  await vi.waitFor(() => expect(textsOf(client)).toEqual(['one']));
  server.state.post(cid, { text: 'two' });

  await vi.waitFor(() => expect(textsOf(client)).toEqual(['one', 'two']));
  expect(client.connection.get()).toMatchObject({ status: 'online', transport: 'longpoll' });
});

test('C9 an expired token is loaded anew from its provider, on connect and in calls', async () => {
  let loads = 0;
  const provider = async () => `ann|${++loads}`;
  server.faults.refuse = (token) => (token === 'ann|1' ? 'TokenExpired' : undefined);
  const client = make();
  await client.connectUser({ id: 'ann' }, provider);
  expect(loads).toBe(2);

  server.faults.fault = ({ headers }) => (headers.authorization === 'ann|2' ? 'TokenExpired' : undefined);
  await Promise.all([
    client.channels.open('messaging', 'general'),
    client.channels.open('messaging', 'other'),
  ]);

  expect(loads).toBe(3);
});

test('C9 an expired static token reaches the caller as it is', async () => {
  const client = await connected();
  server.faults.fault = () => 'TokenExpired';

  await expect(client.channels.open('messaging', 'general')).rejects.toMatchObject({
    name: 'TokenExpired',
    code: 40,
  });
  expect(server.requests.filter(({ path }) => path.endsWith('/query'))).toHaveLength(1);
});

test('M1 a channel id with a colon is refused', async () => {
  const client = await connected();

  await expect(client.channels.open('messaging', 'a:b')).rejects.toThrow(
    'Invalid channel id; it cannot contain a colon',
  );
});

test('M2 the same members give the same channel; none is refused', async () => {
  const client = await connected();

  const [one, two] = [await client.channels.direct(['bea']), await client.channels.direct(['bea', 'ann'])];

  expect(one).toBe(two);
  await expect(client.channels.direct([])).rejects.toThrow(
    'Please specify at least one member when creating a unique conversation',
  );
});

test('M4 a message is shown at once, then confirmed, and never twice', async () => {
  const client = await connected();
  await client.channels.open('messaging', 'general');

  const sent = client.messages.send(cid, { text: 'hello' });
  const shown = client.channels.state(cid).get()?.messages;
  await sent;

  expect(shown?.map(({ text, status }) => [text, status])).toEqual([['hello', 'sending']]);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(
    client.channels
      .state(cid)
      .get()
      ?.messages.map(({ text, status }) => [text, status]),
  ).toEqual([['hello', 'sent']]);
});

test('M4 a send whose answer was lost is tried again under the same id: stored once', async () => {
  const client = await connected({ environment: { random: () => 0 } });
  await client.channels.open('messaging', 'general');
  let losses = 0;
  server.faults.fault = ({ path }) => (path.endsWith('/message') && ++losses < 3 ? 'drop' : undefined);

  const first = client.messages.send(cid, { text: 'a' });
  const second = client.messages.send(cid, { text: 'b' });
  await Promise.all([first, second]);

  expect(server.state.channels.get(cid)?.messages.map(({ text }) => text)).toEqual(['a', 'b']);
  await vi.waitFor(() => expect(textsOf(client)).toEqual(['a', 'b']));
});

test('M4 a refused message stays as failed with its error, and can be tried again', async () => {
  const client = await connected();
  await client.channels.open('messaging', 'general');
  server.faults.fault = ({ path }) => (path.endsWith('/message') ? 'MessageBlocked' : undefined);

  await expect(client.messages.send(cid, { id: 'x', text: 'bad' })).rejects.toMatchObject({
    name: 'MessageBlocked',
  });
  const failed = client.channels.state(cid).get()?.messages[0];
  server.faults.fault = () => undefined;
  await client.messages.retry(cid, 'x');

  expect(failed).toMatchObject({ text: 'bad', status: 'failed', error: { name: 'MessageBlocked' } });
  expect(client.channels.state(cid).get()?.messages).toMatchObject([{ id: 'x', status: 'sent' }]);
});

test('M10 unread is derived from numbers, and marking read shows at once', async () => {
  const client = await connected();
  await client.channels.open('messaging', 'general');
  server.state.post(cid);
  server.state.post(cid);
  await vi.waitFor(() => expect(client.channels.state(cid).get()?.unread).toBe(2));

  const marked = client.reads.markRead(cid);

  expect(client.channels.state(cid).get()?.unread).toBe(0);
  await marked;
  expect(client.channels.state(cid).get()?.unread).toBe(0);
});

test('M11 a delivery is reported once after a second, and never without a message', async () => {
  const client = await connected();
  await client.channels.open('messaging', 'general');
  server.state.post(cid);
  server.state.post(cid, { id: 'last' });

  await vi.waitFor(() =>
    expect(server.requests.some(({ path }) => path === '/channels/delivered')).toBe(true),
  );

  const reports = server.requests.filter(({ path }) => path === '/channels/delivered');
  expect(reports.map(({ body }) => body)).toEqual([{ latest_delivered_messages: [{ cid, id: 'last' }] }]);
});

test('M3 pages go back, a jump shows a window that new messages do not join, and the latest is one step away', async () => {
  for (let index = 1; index <= 40; index += 1) server.state.post(cid, { id: `n${index}`, text: `${index}` });
  const client = await connected();
  await client.channels.open('messaging', 'general');
  await client.messages.loadOlder(cid);
  expect([textsOf(client)?.[0], textsOf(client)?.length]).toEqual(['21', 20]);

  await client.messages.jumpTo(cid, 'n5');
  server.state.post(cid, { text: 'new' });
  await vi.waitFor(() => expect(client.channels.state(cid).get()?.unread).toBe(41));
  expect(textsOf(client)).not.toContain('new');
  expect(client.channels.state(cid).get()?.tail?.text).toBe('new');
  await client.messages.jumpTo(cid, 'latest');

  expect(textsOf(client)?.at(-1)).toBe('new');
  expect(client.channels.state(cid).get()?.tail).toBeUndefined();
});

test('a list of channels moves the one with a new message to the top', async () => {
  server.state.addChannel('messaging:other');
  const client = await connected();
  const list = client.channels.list();
  await vi.waitFor(() =>
    expect(list.get()).toMatchObject({ status: 'ready', cids: [cid, 'messaging:other'] }),
  );

  server.state.post('messaging:other');

  await vi.waitFor(() => expect(list.get().cids).toEqual(['messaging:other', cid]));
  list.stop();
});

test('C7 a gap older than the log queries the channel anew', async () => {
  const client = await connected();
  await client.channels.open('messaging', 'general');
  server.state.isMuted = true;
  server.state.post(cid, { text: 'lost' });
  server.state.forgetLog(cid);
  server.state.isMuted = false;

  server.state.post(cid, { text: 'seen' });

  await vi.waitFor(() => expect(textsOf(client)).toEqual(['lost', 'seen']));
});

test('C7 beyond thirty channels the oldest are stale after a reconnect, until they are opened', async () => {
  const client = await connected({ environment: { random: () => 0 } });
  for (let index = 0; index < 31; index += 1) await client.channels.open('messaging', `c${index}`);
  for (let index = 1; index < 31; index += 1) server.state.post(`messaging:c${index}`);
  const stale = () => client.channels.active.get().filter((id) => client.channels.state(id).get()?.isStale);
  const recovered = new Promise((resolve) => client.on('connection.recovered', resolve));
  await vi.waitFor(() => expect(client.channels.state('messaging:c30').get()?.messages).toHaveLength(1));

  server.dropSockets();
  await recovered;

  expect(stale()).toEqual(['messaging:c0']);
  await client.channels.open('messaging', 'c0');
  expect(stale()).toEqual([]);
});

test('C7 a channel that may no longer be read is gone after a reconnect', async () => {
  const client = await connected({ environment: { random: () => 0 } });
  await client.channels.open('messaging', 'general');
  const recovered = new Promise((resolve) => client.on('connection.recovered', resolve));

  server.state.channels.delete(cid);
  server.dropSockets();
  await recovered;

  expect(client.channels.active.get()).toEqual([]);
});

test('C9 a token that expires during the connection is reloaded, and the connection comes back', async () => {
  let loads = 0;
  const client = make();
  await client.connectUser({ id: 'ann' }, () => `ann|${++loads}`);

  server.dropSockets(4403);

  await vi.waitFor(() => expect(server.frames.at(-1)?.token).toBe('ann|2'));
  await vi.waitFor(() => expect(client.connection.get().status).toBe('online'));
});

test('M5 a reaction shows at once, is the own one, and is counted once', async () => {
  const client = await connected();
  await client.channels.open('messaging', 'general');
  const message = server.state.post(cid, { id: 'x' });
  await vi.waitFor(() => expect(textsOf(client)).toHaveLength(1));
  const shown = () => client.channels.state(cid).get()?.messages[0];

  const added = client.reactions.add(message, 'like');
  expect(shown()).toMatchObject({ reaction_counts: { like: 1 }, own_reactions: [{ type: 'like' }] });
  await added;
  expect(shown()).toMatchObject({ reaction_counts: { like: 1 }, own_reactions: [{ type: 'like' }] });
  await client.reactions.delete(message, 'like');

  expect(shown()).toMatchObject({ reaction_counts: {}, own_reactions: [] });
});

test('M5 a reaction that is refused is taken back', async () => {
  const client = await connected();
  await client.channels.open('messaging', 'general');
  const message = server.state.post(cid, { id: 'x' });
  await vi.waitFor(() => expect(textsOf(client)).toHaveLength(1));
  server.faults.fault = ({ path }) => (path.endsWith('/reaction') ? 'NotAllowed' : undefined);

  await expect(client.reactions.add(message, 'like')).rejects.toMatchObject({ name: 'NotAllowed' });

  expect(client.channels.state(cid).get()?.messages[0]?.reaction_counts).toEqual({});
});

test('a list adds a channel the user was added to, and drops one it was removed from', async () => {
  const client = await connected();
  const list = client.channels.list({ filter: { members: { $in: ['ann'] } } });
  await vi.waitFor(() => expect(list.get().cids).toEqual([cid]));

  server.state.addChannel('messaging:new');
  const { channel } = server.state.find('messaging:new');
  server.state.broadcast({ type: 'notification.added_to_channel', channel, member: {} });
  await vi.waitFor(() => expect(list.get().cids).toEqual(['messaging:new', cid]));
  server.state.broadcast({ type: 'notification.removed_from_channel', channel, member: {} });

  await vi.waitFor(() => expect(list.get().cids).toEqual([cid]));
  list.stop();
});

test('M3 a channel left at its end keeps its newest messages; older ones are loaded again, and a place further up stays', async () => {
  for (let index = 1; index <= 120; index += 1) server.state.post(cid, { id: `n${index}`, text: `${index}` });
  const client = await connected();
  await client.channels.open('messaging', 'general');
  await client.messages.loadOlder(cid, { limit: 90 });
  expect(textsOf(client)).toHaveLength(100);

  client.messages.trim(cid);
  expect([textsOf(client)?.[0], textsOf(client)?.length]).toEqual(['71', 50]);
  await client.messages.loadOlder(cid, { limit: 90 });
  expect([textsOf(client)?.[0], textsOf(client)?.at(-1)]).toEqual(['1', '120']);

  client.messages.trim(cid);
  await client.messages.jumpTo(cid, 'n1', { limit: 60 });
  const before = textsOf(client);
  client.messages.trim(cid);
  expect([client.channels.state(cid).get()?.hasNewer, textsOf(client)]).toEqual([true, before]);
});

test('a reconnect keeps the pages that were loaded', async () => {
  for (let index = 1; index <= 40; index += 1) server.state.post(cid, { text: `${index}` });
  const client = await connected({ environment: { random: () => 0 } });
  const list = client.channels.list();
  await vi.waitFor(() => expect(textsOf(client)).toHaveLength(10));
  await client.messages.loadOlder(cid, { limit: 20 });
  const recovered = new Promise((resolve) => client.on('connection.recovered', resolve));

  server.dropSockets();
  await recovered;
  await vi.waitFor(() => expect(server.requestsTo('/channels')).toHaveLength(3));
  await new Promise((resolve) => setTimeout(resolve, 20));

  expect(textsOf(client)).toHaveLength(30);
  list.stop();
});

test('a thread that is open takes its replies; the channel does not', async () => {
  const client = await connected();
  await client.channels.open('messaging', 'general');
  server.state.post(cid, { id: 'parent' });
  await client.messages.replies.open(cid, 'parent');

  server.state.post(cid, { id: 'reply', parent_id: 'parent' });
  const own = client.messages.send(cid, { text: 'mine', parent_id: 'parent' });

  expect(client.channels.state(cid).get()?.threads.parent?.messages.at(-1)).toMatchObject({
    status: 'sending',
  });
  await own;
  await vi.waitFor(() =>
    expect(
      client.channels
        .state(cid)
        .get()
        ?.threads.parent?.messages.map(({ text }) => text),
    ).toEqual(['reply', 'mine']),
  );
  expect(textsOf(client)).toEqual(['parent']);
});

test('C5 an answer that comes after another user connected reaches neither caller nor store', async () => {
  let letThrough = () => {};
  const gate = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  const slow = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init);
    await gate;
    return response;
  };
  const client = await connected({ environment: { fetch: slow } });
  const opening = client.channels.open('messaging', 'general');
  await vi.waitFor(() => expect(server.requests).toHaveLength(1));

  void client.disconnect();
  await client.connectUser({ id: 'bea' }, 'bea');
  letThrough();

  await expect(opening).rejects.toThrow('User is not set on client');
  expect(client.channels.active.get()).toEqual([]);
});

test('C5 the queue of messages is kept for the same user across a disconnect', async () => {
  const client = await connected({ environment: { random: () => 0 } });
  await client.channels.open('messaging', 'general');
  server.faults.fault = ({ path }) => (path.endsWith('/message') ? 'drop' : undefined);
  const kept = client.messages.send(cid, { text: 'kept' });

  await client.disconnect();
  server.faults.fault = () => undefined;
  await client.connectUser({ id: 'ann' }, 'ann');

  expect((await kept).text).toBe('kept');
  expect(server.state.find(cid).messages).toHaveLength(1);
});

test('C10 a warm-up touches the server before the first call, and is off by default', async () => {
  await connected();
  expect(server.requestsTo('/healthz')).toHaveLength(0);

  await connected({ warmUp: true });

  await vi.waitFor(() => expect(server.requestsTo('/healthz')).toHaveLength(1));
});

test('C10 with the cache off, opening asks the server each time', async () => {
  const cached = await connected();
  await cached.channels.open('messaging', 'general');
  await cached.channels.open('messaging', 'general');
  const path = '/channels/messaging/general/query';
  expect(server.requestsTo(path)).toHaveLength(1);

  const uncached = await connected({ disableCache: true });
  await uncached.channels.open('messaging', 'general');
  await uncached.channels.open('messaging', 'general');

  expect(server.requestsTo(path)).toHaveLength(3);
});

test('events reach their listeners in order, and a listener that stopped is not called', async () => {
  const client = await connected();
  await client.channels.open('messaging', 'general');
  const received: string[] = [];
  const stop = client.on('message.new', ({ message }) => received.push(message.text));

  server.state.post(cid, { text: 'one' });
  server.state.post(cid, { text: 'two' });
  await vi.waitFor(() => expect(received).toEqual(['one', 'two']));
  stop();
  server.state.post(cid, { text: 'three' });
  await vi.waitFor(() => expect(textsOf(client)).toHaveLength(3));

  expect(received).toEqual(['one', 'two']);
});
