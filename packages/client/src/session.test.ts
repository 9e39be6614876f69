import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHandles } from './handles.ts';
import { type ClientOptions, createClient, type FeatureCore, type ParleyClient } from './index.ts';
import { type ChatDouble, startChatDouble } from './testing/chat-double.ts';
import { aRead } from './testing/records.ts';

const cid = 'messaging:general';
let server: ChatDouble;
let client: ParleyClient;

/** A network that can be taken away. */
const createNetwork = (isUp = true) => {
  const listeners = new Set<() => void>();
  let isOnline = isUp;
  return {
    set: (next: boolean) => {
      isOnline = next;
      for (const listener of listeners) listener();
    },
    online: {
      isOnline: () => isOnline,
      subscribe: (listener: () => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    fetch: (url: string, init: RequestInit) =>
      isOnline ? fetch(url, init) : Promise.reject(new TypeError('no network')),
  };
};
const make = (options: Partial<ClientOptions> = {}): ParleyClient => {
  client = createClient({ apiKey: 'key', baseUrl: server.url, log: { warn() {}, error() {} }, ...options });
  return client;
};

beforeEach(async () => {
  server = await startChatDouble();
});
afterEach(async () => {
  await client.disconnect();
  await server.stop();
});

test('C9 the error of a token provider reaches the caller at once, and is asked again', async () => {
  let calls = 0;
  const provider = async () => {
    calls += 1;
    if (calls === 1) throw new Error('not signed in');
    return 'ann';
  };

  const connecting = make({ environment: { random: () => 0 } }).connectUser({ id: 'ann' }, provider);

  await expect(connecting).rejects.toThrow('not signed in');
  expect(calls).toBe(1);
  await vi.waitFor(() => expect(client.connection.get().status).toBe('online'), 5000);
});

test('C6 offline at the start: the caller gets the error, and the connection is made when the network is there', async () => {
  const network = createNetwork(false);
  const { online, fetch } = network;

  await expect(make({ environment: { online, fetch } }).connectUser({ id: 'ann' }, 'ann')).rejects.toThrow(
    'The network is offline',
  );
  expect(client.connection.get()).toEqual({ status: 'offline' });
  network.set(true);

  await vi.waitFor(() => expect(client.connection.get().status).toBe('online'));
});

test('C5 a disconnect while connecting ends the wait and leaves no socket', async () => {
  const connecting = make().connectUser({ id: 'ann' }, async () => 'ann');
  const ended = expect(connecting).rejects.toThrow('Disconnected before the connection opened');

  await client.disconnect();

  await ended;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(client.connection.get()).toEqual({ status: 'disconnected', reason: 'asked' });
  expect(server.sockets.size).toBe(0);
});

test('S8 a message sent offline waits as sending, and is sent in order when the network is back', async () => {
  const network = createNetwork();
  const { online, fetch } = network;
  await make({ environment: { online, fetch, random: () => 0 } }).connectUser({ id: 'ann' }, 'ann');
  await client.channels.open('messaging', 'general');

  network.set(false);
  const sent = ['one', 'two', 'three'].map((text) => client.messages.send(cid, { text }));
  const shown = () =>
    client.channels
      .state(cid)
      .get()
      ?.messages.map(({ text, status }) => `${text} ${status}`);
  expect(shown()).toEqual(['one sending', 'two sending', 'three sending']);
  network.set(true);
  await Promise.all(sent);

  await vi.waitFor(() => expect(shown()).toEqual(['one sent', 'two sent', 'three sent']));
  expect(server.state.find(cid).messages.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
});

test('M3 of two jumps the later one shows, and calls for the same page are one', async () => {
  for (let index = 1; index <= 40; index += 1) server.state.post(cid, { id: `n${index}`, text: `${index}` });
  await make().connectUser({ id: 'ann' }, 'ann');
  await client.channels.open('messaging', 'general');
  const before = server.requests.length;

  await Promise.all([client.messages.loadOlder(cid), client.messages.loadOlder(cid)]);
  expect(server.requests.length - before).toBe(1);
  await client.messages.jumpTo(cid, 'n5');
  await Promise.all([client.messages.jumpTo(cid, 'n15'), client.messages.jumpTo(cid, 'latest')]);

  expect(client.channels.state(cid).get()).toMatchObject({ hasNewer: false });
  expect(client.channels.state(cid).get()?.messages.at(-1)?.id).toBe('n40');
});

test('S11 a channel marked unread on another device while away is unread after the reconnect', async () => {
  server.state.post(cid, { text: 'one' });
  server.state.find(cid).read = [aRead('ann', 1)];
  await make({ environment: { random: () => 0 } }).connectUser({ id: 'ann' }, 'ann');
  await client.channels.open('messaging', 'general');
  expect(client.channels.state(cid).get()?.unread).toBe(0);
  const recovered = new Promise((resolve) => client.on('connection.recovered', resolve));

  server.dropSockets();
  await vi.waitFor(() => expect(client.connection.get().status).toBe('waiting'));
  server.state.post(cid, { text: 'two' });
  server.state.find(cid).read = [{ ...aRead('ann', 0), version: 1 }];
  await recovered;

  expect(client.channels.state(cid).get()?.unread).toBe(2);
});

test('S17 a freeze puts what one may do in doubt until it has been asked for', async () => {
  await make({ environment: { random: () => 0 } }).connectUser({ id: 'ann' }, 'ann');
  await client.channels.open('messaging', 'general');
  const { channel } = server.state.find(cid);

  Object.assign(channel, { frozen: true, own_capabilities: ['send-reaction'] });
  const { own_capabilities: _, ...broadcast } = channel;
  server.state.publish(cid, { type: 'channel.updated', channel: broadcast });

  const capabilities = () => [...(client.channels.state(cid).get()?.capabilities ?? [])];
  await vi.waitFor(() => expect(capabilities()).toEqual(['send-reaction']));
  expect(client.channels.state(cid).get()?.channel.frozen).toBe(true);
});

test('C8 a reset that throws at sign-out is logged, and those after it still run', async () => {
  const error = vi.fn();
  const done: string[] = [];
  const feature = (name: string, reset: () => void) => ({
    name,
    create: ({ resets }: FeatureCore) => void resets.push(reset),
  });
  make({ log: { warn() {}, error } });
  client.feature(
    feature('broken', () => {
      throw new Error('broken reset');
    }),
  );
  client.feature(feature('after', () => void done.push('after')));
  await client.connectUser({ id: 'ann' }, 'ann');

  await client.disconnect();

  expect(done).toEqual(['after']);
  expect(error).toHaveBeenCalledWith('A reset failed', new Error('broken reset'));
});

test('C8 a handle that cannot be stopped at sign-out keeps no other open', () => {
  const resets: (() => void)[] = [];
  const stopped: string[] = [];
  const open = createHandles({ resets, log: { warn() {}, error() {} } }, (name: string) => ({
    stop: () => {
      if (name === 'broken') throw new Error('broken stop');
      stopped.push(name);
    },
  }));
  for (const name of ['first', 'broken', 'last']) open(name);

  for (const reset of resets) reset();

  expect(stopped).toEqual(['first', 'last']);
  make();
});
