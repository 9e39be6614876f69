import { createLru } from '@parley/client';
import { texts } from '@parley/client/limits';
import { createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

const spySocket = (sent: unknown[]) =>
  class extends WebSocket {
    override send(data: string) {
      sent.push(JSON.parse(data));
      super.send(data);
    }
  } as never;

test('C1 the connect payload carries user_id, user_details, device and client_request_id', async () => {
  const sent: unknown[] = [];
  const { client } = chat.createTestClient({
    device: { id: 'phone-1' },
    environment: { WebSocket: spySocket(sent) },
  });

  const custom = { mood: 'calm' };

  const me = await client.connectUser({ ...custom, id: 'ana', name: 'Ana' }, await chat.token('ana'));

  expect(me).toMatchObject({ id: 'ana', name: 'Ana', mood: 'calm', unread_count: 0 });
  expect(sent[0]).toMatchObject({
    type: 'connect',
    auth_type: 'jwt',
    payload: {
      user_id: 'ana',
      user_details: { id: 'ana', name: 'Ana', mood: 'calm' },
      device: { id: 'phone-1' },
      client_request_id: expect.stringMatching(/./),
    },
  });
});

test('C1 a user without an id is refused, with the text of the specification', async () => {
  const { client, faults } = chat.createTestClient();

  await expect(client.connectUser({ id: '' }, 'token')).rejects.toThrow(
    'The id field on the user is missing',
  );
  await expect(client.connectUser({} as never, 'token')).rejects.toThrow(
    'The id field on the user is missing',
  );
  expect(faults.openSockets).toBe(0);
});

test("C1 another user's token is refused", async () => {
  const { client } = chat.createTestClient();

  const connecting = client.connectUser({ id: 'ana' }, await chat.token('bo'));

  await expect(connecting).rejects.toMatchObject({ name: 'AuthenticationFailed', code: 5 });
});

test('C2 an anonymous visitor connects without a token', async () => {
  const { client } = chat.createTestClient();

  const me = await client.connectAnonymous();

  expect(me).toMatchObject({ role: 'anonymous', unread_count: 0 });
  expect(client.connection.get().status).toBe('online');
});

test('C2 a guest gets an id and a token of its own', async () => {
  const one = chat.createTestClient();
  const other = chat.createTestClient();

  const first = await one.client.connectGuest({ id: 'visitor', name: 'Vi' });
  const second = await other.client.connectGuest({ id: 'visitor', name: 'Vi' });

  expect(first).toMatchObject({ role: 'guest', name: 'Vi' });
  expect(second.id).not.toBe(first.id);
});

test('C2 a guest may not take a role, nor connect without an id', async () => {
  const { client } = chat.createTestClient();
  const raw = await chat.as();

  await expect(client.connectGuest({ id: '' })).rejects.toThrow('The id field on the user is missing');
  const refusal = await raw.refused('POST /guest', { body: { user: { id: 'vi', role: 'admin' } } });
  expect(refusal).toMatchObject({ status: 400, details: [{ path: 'user.role' }] });
});

test('C3 a second, different user is refused until the first disconnects', async () => {
  const { client } = await chat.connect('ana');

  await expect(client.connectUser({ id: 'bo' }, await chat.token('bo'))).rejects.toThrow(
    'Use the disconnect call before connecting as a different user',
  );
  await expect(client.connectAnonymous()).rejects.toThrow(texts.disconnectFirst);
  await expect(client.connectGuest({ id: 'vi' })).rejects.toThrow(texts.disconnectFirst);
  expect(client.me.get()?.id).toBe('ana');

  await client.disconnect();
  await client.connectUser({ id: 'bo' }, await chat.token('bo'));
  expect(client.me.get()?.id).toBe('bo');
});

test('C4 consecutive connects of one user give the same pending result, with a warning', async () => {
  const warnings: string[] = [];
  const log = { warn: (text: string) => void warnings.push(text), error: () => undefined };
  const { client, faults } = chat.createTestClient({ log });
  const token = await chat.token('ana');

  const first = client.connectUser({ id: 'ana' }, token);
  const second = client.connectUser({ id: 'ana' }, token);

  expect(second).toBe(first);
  await first;
  expect(warnings).toHaveLength(1);
  await client.connectUser({ id: 'ana' }, token);
  expect(warnings).toHaveLength(2);
  expect(faults.openSockets).toBe(1);
});

test('C4 connect, disconnect, connect in one turn leaves one socket', async () => {
  const { client, faults } = chat.createTestClient();
  const token = await chat.token('ana');

  const first = client.connectUser({ id: 'ana' }, token).catch((error: Error) => error);
  void client.disconnect();
  await client.connectUser({ id: 'ana' }, token);

  expect(await first).toBeInstanceOf(Error);
  expect(faults.openSockets).toBe(1);
});

test('C5 disconnect clears the active channels and the user', async () => {
  const { client, faults } = await chat.connect('ana');
  const cid = await client.channels.open('messaging', 'c5', { members: ['bo'] });
  const state = client.channels.state(cid);
  expect(client.channels.active.get()).toEqual([cid]);

  await client.disconnect();

  expect(client.channels.active.get()).toEqual([]);
  expect(state.get()).toBeUndefined();
  expect(client.me.get()).toBeUndefined();
  await until(() => faults.openSockets === 0, 'the socket to close');
});

test('C5 calls that need a user say so after a disconnect and send nothing', async () => {
  const asked: string[] = [];
  const { client, faults } = await chat.connect('ana');
  await client.disconnect();
  faults.onCall((url) => {
    asked.push(url);
    return undefined;
  });
  const ref = { cid: 'messaging:c5', id: 'x' };

  const calls = [
    () => client.channels.open('messaging', 'c5'),
    () => client.channels.direct(['bo']),
    () => client.channels.patch(ref.cid, { name: 'x' }),
    () => client.channels.stopWatching(ref.cid),
    () => client.messages.send(ref.cid, { text: 'x' }),
    () => client.messages.edit(ref, { text: 'x' }),
    () => client.messages.delete(ref),
    () => client.messages.get('x'),
    () => client.reactions.add(ref, 'like'),
    () => client.reactions.query('x'),
    () => client.reads.markRead(ref.cid),
    () => client.reads.unread(),
    () => client.members.query(ref.cid),
    () => client.members.join(ref.cid),
    () => client.users.query(),
    () => client.users.update({ name: 'x' }),
    async () => client.typing.keystroke(ref.cid),
  ];

  for (const call of calls) await expect(call()).rejects.toThrow('User is not set on client');
  expect(asked).toEqual([]);
});

test('C6 a failed connection keeps the user by default, and goes on trying', async () => {
  const { client, faults } = chat.createTestClient({ enableLongPollFallback: false });
  faults.blockSockets();

  await expect(client.connectUser({ id: 'ana' }, await chat.token('ana'))).rejects.toThrow();

  expect(client.connection.get().status).toBe('waiting');
  await expect(client.connectUser({ id: 'bo' }, 'x')).rejects.toThrow(texts.disconnectFirst);
  faults.restore();
  await until(() => client.connection.get().status === 'online', 'the connection');
  expect(client.me.get()?.id).toBe('ana');
});

test('C6 a failed connection disconnects the user where the option says so', async () => {
  const { client, faults } = chat.createTestClient({
    enableLongPollFallback: false,
    keepUserOnConnectFailure: false,
  });
  faults.blockSockets();

  await expect(client.connectUser({ id: 'ana' }, await chat.token('ana'))).rejects.toThrow();

  expect(client.connection.get().status).toBe('disconnected');
  await expect(client.users.query()).rejects.toThrow(texts.userNotSet);
  faults.restore();
  await client.connectUser({ id: 'bo' }, await chat.token('bo'));
  expect(client.me.get()?.id).toBe('bo');
});

test('C6 a refused token is not tried again; the same user may connect with a better one', async () => {
  const { client } = chat.createTestClient();

  await expect(client.connectUser({ id: 'ana' }, 'garbage')).rejects.toMatchObject({ code: 5 });

  expect(client.connection.get()).toMatchObject({ status: 'disconnected', reason: 'refused' });
  await client.connectUser({ id: 'ana' }, await chat.token('ana'));
  expect(client.connection.get().status).toBe('online');
});

test('C12 the cache refuses size zero, alone and as an option', () => {
  expect(() => createLru(0)).toThrow(RangeError);
  expect(() => createLru(-1)).toThrow(RangeError);
  expect(() => chat.createTestClient({ userCacheSize: 0 })).toThrow('must not be zero');
  const cache = createLru<string, number>(1);
  cache.set('a', 1);
  cache.set('b', 2);
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 2]);
});

test('C12 an unknown HTTP verb is an invalid request type', async () => {
  const { client } = await chat.connect('ana');

  await expect(client.http.request('FETCH', '/users')).rejects.toThrow('Invalid request type');
  await expect(client.http.request('get', '/unread')).resolves.toMatchObject({ total_unread_count: 0 });
});
