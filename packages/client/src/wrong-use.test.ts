import { expect, test } from 'vitest';
import { createAdminClient } from './admin/index.ts';
import { locations as locationsFeature } from './features/locations/index.ts';
import { polls as pollsFeature } from './features/polls/index.ts';
import { reminders as remindersFeature } from './features/reminders/index.ts';
import { scheduledMessages } from './features/scheduled-messages/index.ts';
import { search } from './features/search/index.ts';
import { tasks } from './features/tasks/index.ts';
import { type ClientOptions, createClient } from './index.ts';

const given = (options: unknown): ClientOptions => options as ClientOptions;
const base = { apiKey: 'key', baseUrl: 'http://localhost:1/api' };

test.each([
  [undefined, 'createClient needs { apiKey }'],
  [{}, 'createClient needs { apiKey }'],
  [{ ...base, baseUrl: '' }, 'baseUrl "" must begin with "https://" or "http://", or on a page with "/"'],
  [{ ...base, baseUrl: '127.0.0.1:8800/api' }, 'baseUrl "127.0.0.1:8800/api" must begin with'],
  [{ ...base, baseUrl: 'localhost:8800/api' }, 'baseUrl "localhost:8800/api" must begin with'],
  [{ ...base, baseUrl: 'ws://chat/api' }, 'baseUrl "ws://chat/api" must begin with'],
  [{ ...base, pageSize: -1 }, 'pageSize must be above 0, not -1'],
  [{ ...base, windowSize: 0 }, 'windowSize must be above 0, not 0'],
  [{ ...base, httpTimeout: Number.NaN }, 'httpTimeout must be above 0, not NaN'],
])('C10 createClient(%j) is refused in words', (options, words) => {
  expect(() => createClient(given(options))).toThrow(words);
});

test('C10 a baseUrl may be a URL, and may end in slashes', () => {
  for (const baseUrl of [new URL('https://chat.example/api/'), 'https://chat.example/api//'])
    expect(createClient({ apiKey: 'key', baseUrl }).http.wire.baseUrl).toBe('https://chat.example/api');
});

test('C10 where there is no page a path is refused when it is used: a server may render with the client', async () => {
  const client = createClient({
    apiKey: 'key',
    keepUserOnConnectFailure: false,
    environment: { random: () => 0 },
  });

  await expect(client.connectUser({ id: 'ann' }, 'token')).rejects.toThrow('baseUrl "/api" must begin with');
});

test('C10 a server that cannot be reached is named', async () => {
  const client = createClient({
    ...base,
    environment: { fetch: () => Promise.reject(new TypeError('refused')) },
  });

  await expect(client.http.call('POST /guest', { body: { user: { id: 'a' } }, open: true })).rejects.toThrow(
    'The server at http://localhost:1/api could not be reached',
  );
});

test.each([
  [42, '42'],
  [Promise.resolve('token'), '[object Promise]'],
  [{ token: 'x' }, '[object Object]'],
])('C9 %s as a token is refused in words, and nothing is tried', async (token, named) => {
  const client = createClient(base);

  await expect(client.connectUser({ id: 'ann' }, token as unknown as string)).rejects.toThrow(
    `A token is a string or a function that gives one, not ${named}`,
  );
  expect(client.connection.get().status).toBe('disconnected');
});

test('C3 calls without a channel or a message reject in words: none throws at once', async () => {
  const client = createClient({ ...base, log: { warn() {}, error() {} } });
  const nothing = undefined as never;
  const noCid = '"undefined" is no cid such as "messaging:general"';
  // A user is set though no server is there: the calls themselves are looked at.
  client.connectUser({ id: 'ann' }, 'token').catch(() => {});

  for (const call of [
    () => client.messages.send(nothing, { text: 'x' }),
    () => client.messages.pin(nothing),
    () => client.messages.unpin(nothing),
    () => client.messages.patch(nothing, {}),
    () => client.messages.edit(nothing, {}),
    () => client.messages.delete(nothing),
    () => client.reactions.add(nothing, 'like'),
    () => client.reactions.delete(nothing, 'like'),
    () => client.channels.watch(nothing),
    () => client.channels.update(nothing, {}),
    () => client.members.add(nothing, ['bo']),
    () => client.members.query(nothing),
    () => client.reads.markUnread(nothing, 'id'),
    () => client.reads.markRead(nothing),
  ]) {
    let made: Promise<unknown> | undefined;
    expect(() => (made = call())).not.toThrow();
    await expect(made).rejects.toThrow(noCid);
  }
  await client.disconnect();
});

test('C3 an argument that was forgotten is named, in every part of the client', async () => {
  const client = createClient({ ...base, log: { warn() {}, error() {} } });
  const nothing = undefined as never;
  const cid = 'messaging:general';
  client.connectUser({ id: 'ann' }, 'token').catch(() => {});
  const polls = client.feature(pollsFeature);
  const scheduled = client.feature(scheduledMessages);
  const reminders = client.feature(remindersFeature);
  const locations = client.feature(locationsFeature);
  const admin = createAdminClient({ ...base, secret: 'secret' });
  const calls: [string, () => Promise<unknown>][] = [
    ['message must be an object, not undefined', () => client.messages.send(cid, nothing)],
    ['message must be an object, not undefined', () => client.messages.edit({ cid, id: 'a' }, nothing)],
    ['is no cid such as', () => client.messages.undelete(nothing)],
    ['Please specify at least one member', () => client.channels.direct(nothing)],
    ['Please specify at least one member', () => client.channels.direct('bo' as never)],
    ['userIds must be an object', () => client.presence.follow(nothing)],
    ['poll must be an object, not undefined', () => polls.create(nothing)],
    ['poll must be an object, not undefined', () => polls.send(cid, nothing)],
    ['message must be an object, not undefined', () => polls.vote(nothing, 'poll', 'option')],
    ['message must be an object, not undefined', () => polls.unvote(nothing, 'poll', 'vote')],
    ['poll must be an object, not undefined', () => admin.polls.create(nothing, 'ann')],
    ['place must be an object, not undefined', () => admin.polls.vote(nothing, { option_id: 'a' })],
    ['message must be an object, not undefined', () => scheduled.add(cid, nothing, new Date())],
    ['sendAt must be a Date or a time such as', () => scheduled.add(cid, { text: 'x' }, nothing)],
    ['sendAt must be a Date or a time such as', () => scheduled.change('id', { sendAt: 'soon' })],
    ['change must be an object, not undefined', () => scheduled.change('id', nothing)],
    ['remindAt must be a Date or a time such as', () => reminders.set('id', { remindAt: 'soon' })],
    ['wish must be an object, not undefined', () => locations.share(cid, nothing)],
    ['cids must be an object, not undefined', () => client.feature(tasks).deleteAll(nothing)],
  ];

  for (const [words, call] of calls) await expect(call()).rejects.toThrow(words);
  expect(() => client.messages.dismiss(nothing)).toThrow('is no cid such as');
  expect(() => client.feature(nothing)).toThrow('feature must be an object, not undefined');
  await expect(client.feature(search).create().loadMore(nothing)).resolves.toBeUndefined();
  await client.disconnect();
});
