import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ClientOptions, createClient, type ParleyClient } from './index.ts';
import { type ChatDouble, startChatDouble } from './testing/chat-double.ts';

const cid = 'messaging:general';
let server: ChatDouble;
let client: ParleyClient;

const make = (options: Partial<ClientOptions> = {}): ParleyClient => {
  const log = { warn() {}, error() {} };
  const environment = { random: () => 0 };
  client = createClient({ apiKey: 'key', baseUrl: server.url, log, environment, ...options });
  return client;
};
const open = async (): Promise<void> => {
  await make().connectUser({ id: 'ann', name: 'Ann' }, 'ann');
  await client.channels.open('messaging', 'general');
};
const page = (status: number) => ({ status, page: '<!doctype html><title>Sign in</title>' });

beforeEach(async () => {
  server = await startChatDouble();
});
afterEach(async () => {
  await client.disconnect();
  await server.stop();
});

test.each([200, 401, 403, 404, 502])(
  'C8 a portal that answers everything with a page of status %i ends no session and fails no message',
  async (status) => {
    await open();
    const seen: string[] = [];
    client.on('connection.changed', ({ state }) => seen.push(state.status));
    server.faults.blockSockets = true;
    server.faults.fault = () => page(status);
    server.dropSockets();
    const sent = client.messages.send(cid, { text: 'from the train' });
    await vi.waitFor(() => expect(server.requestsTo('/longpoll').length).toBeGreaterThan(0), 10_000);
    await vi.waitFor(
      () => expect(server.requestsTo('/channels/messaging/general/message').length).toBeGreaterThan(1),
      10_000,
    );

    server.faults.blockSockets = false;
    server.faults.fault = () => undefined;

    expect((await sent).text).toBe('from the train');
    await vi.waitFor(() => expect(client.connection.get().status).toBe('online'), 10_000);
    expect(seen).not.toContain('disconnected');
    expect(server.state.find(cid).messages.map(({ text }) => text)).toEqual(['from the train']);
  },
  30_000,
);

test('C10 a first connection that meets only pages rejects in words, after three attempts', async () => {
  server.faults.blockSockets = true;
  server.faults.fault = () => page(404);

  await expect(make().connectUser({ id: 'ann' }, 'ann')).rejects.toThrow(
    `The answer (404) is not of a Parley server: is "${server.url}" its API, ending in "/api"?`,
  );
});

test.each(['', '{}', '{"message":"ok"}'])(
  'M4 a 200 of %j is no stored message: it is sent again, and its caller gets the result',
  async (said) => {
    await open();
    let answers = 0;
    server.faults.fault = ({ path }) =>
      path.endsWith('/message') && ++answers < 3 ? { status: 200, page: said } : undefined;

    const message = await client.messages.send(cid, { text: 'once' });

    expect([message.text, answers]).toEqual(['once', 3]);
    expect(server.state.find(cid).messages).toHaveLength(1);
    const shown = client.channels.state(cid).get()?.messages;
    expect(shown?.map(({ text, status }) => `${text} ${status}`)).toEqual(['once sent']);
  },
  20_000,
);

test.each(['{"ok":true}', '{}', '[]', '{"message":"ok"}'])(
  'C10 no call takes the %s of another server for its answer',
  async (said) => {
    const { id } = server.state.post(cid, { text: 'one' });
    await open();
    const ref = { cid, id };
    server.faults.fault = () => ({ status: 200, page: said });
    const { channels, members, messages, reactions, reads, users, http } = client;

    for (const call of [
      () => messages.edit(ref, { text: 'two' }),
      () => messages.pin(ref),
      () => messages.delete(ref),
      () => messages.get(id),
      () => messages.replies.open(cid, id),
      () => reactions.add(ref, 'like'),
      () => reads.markUnread(cid, id),
      () => reads.markAllRead(),
      () => reads.unread(),
      () => channels.direct(['bo']),
      () => channels.patch(cid, { name: 'x' }),
      () => channels.delete(cid),
      () => members.query(cid),
      () => users.query({}),
      () => http.call('GET /tasks/{id}', { path: { id: 'task' } }),
    ])
      await expect(call()).rejects.toThrow('The answer (200) is not of a Parley server');
    expect(
      channels
        .state(cid)
        .get()
        ?.messages.map(({ text }) => text),
    ).toEqual(['one']);
  },
);

test('M11 a read mark that met the answer of another server is made again', async () => {
  server.state.post(cid, { text: 'one' });
  await open();
  let answers = 0;
  server.faults.fault = ({ path }) =>
    path.endsWith('/read') && ++answers < 3 ? { status: 200, page: '{"ok":true}' } : undefined;

  await client.reads.markRead(cid);

  expect(answers).toBe(3);
  expect(client.channels.state(cid).get()?.unread).toBe(0);
});

test('M11 a read mark that met a page is made again', async () => {
  server.state.post(cid, { text: 'one' });
  await open();
  let answers = 0;
  server.faults.fault = ({ path }) => (path.endsWith('/read') && ++answers < 3 ? page(404) : undefined);

  await client.reads.markRead(cid);

  expect(answers).toBe(3);
  expect(client.channels.state(cid).get()?.unread).toBe(0);
});

test('C1 a reconnect does not send the details of the user again: what was changed elsewhere stays', async () => {
  await open();
  expect(server.frames[0]?.payload).toMatchObject({ user_details: { name: 'Ann' } });

  server.dropSockets();
  await vi.waitFor(() => expect(server.frames).toHaveLength(2), 10_000);

  expect(server.frames[1]?.payload).toMatchObject({ user_id: 'ann' });
  expect(server.frames[1]?.payload).not.toHaveProperty('user_details');
  await client.disconnect();
  await client.connectUser({ id: 'ann', name: 'Anna' }, 'ann');
  expect(server.frames[2]?.payload).toMatchObject({ user_details: { name: 'Anna' } });
});
