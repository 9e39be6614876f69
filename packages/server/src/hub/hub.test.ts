import { closeCodes, times } from '@parley/protocol';
import { expect, test } from 'vitest';
import type { Actor } from '../auth/actor.ts';
import { createLocalBus } from '../bus/bus.ts';
import { noOthers } from '../cluster/others.ts';
import { systemClock } from '../lib/clock.ts';
import type { Connection, Sink } from './connection.ts';
import { Hub, type HubHooks } from './hub.ts';
import { NamedConnections } from './named-connections.ts';

const actorOf = (id: string, kind: 'user' | 'anonymous' = 'user') =>
  ({ kind, user: { row: { id, role: 'user', banned: false }, user: { id } } }) as Connection['actor'];

const createScene = (given: Partial<HubHooks> = {}) => {
  const bus = createLocalBus((error) => {
    throw error;
  });
  const notices: string[] = [];
  let now = 0;
  let elapsed = 0;
  const kernel = {
    bus,
    others: noOthers,
    clock: { ...systemClock, now: () => now, elapsed: () => elapsed },
    now: () => 'now',
    log: { error: () => undefined },
  };
  const hub = new Hub(kernel);
  hub.listen({
    mayWatch: async () => true,
    clearedAt: async () => undefined,
    readableTypes: async () => new Set(['team']),
    refresh: async (connection) => connection.actor,
    onFirst: (id) => notices.push(`first ${id}`),
    onLast: (id) => notices.push(`last ${id}`),
    onWatch: (cid, actor, started, count) =>
      notices.push(`${started ? 'watch' : 'unwatch'} ${cid} ${actor.user?.row.id} ${count}`),
    ...given,
  });
  const open = (actor: Connection['actor'], expires?: number) => {
    const received: string[] = [];
    const closed: number[] = [];
    const sink: Sink = {
      send: ({ json }) => void received.push(JSON.parse(json).type),
      close: (code) => void closed.push(code),
    };
    return { connection: hub.open({ actor, sink, expires }), received, closed };
  };
  const publish = (type: string, userId?: string) =>
    bus.publish({
      kind: 'channel',
      cid: 'team:a',
      type,
      json: `{"type":"${type}","seq":1,"cid":"team:a"}`,
      ...(userId ? { userId } : {}),
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const setNow = (ms: number): void => {
    now = ms;
  };
  const pass = (ms: number): void => {
    now += ms;
    elapsed += ms;
  };
  return { hub, bus, notices, open, publish, settle, setNow, pass };
};

test('watchers get the events of a channel; members who do not watch are notified; others get nothing', async () => {
  const { hub, open, publish } = createScene();
  const [watcher, member, other] = [open(actorOf('ana')), open(actorOf('bo')), open(actorOf('cy'))];
  await hub.watch(watcher.connection, 'team:a');
  await hub.startMemberships('ana', async () => ({ cids: ['team:a'] }));
  await hub.startMemberships('bo', async () => ({ cids: ['team:a'] }));
  await hub.startMemberNotifications(member.connection);

  publish('message.new');
  publish('typing.start');

  expect(watcher.received).toEqual(['message.new', 'typing.start']);
  expect(member.received).toEqual(['notification.message_new']);
  expect(other.received).toEqual([]);
});

test('members who may not read the type are not notified, from the moment the rules change', async () => {
  let types = new Set(['team']);
  const { hub, bus, open, publish, settle } = createScene({ readableTypes: async () => types });
  const { connection, received } = open(actorOf('bo'));
  await hub.startMemberNotifications(connection);
  await hub.startMemberships('bo', async () => ({ cids: ['team:a'] }));
  publish('message.new');

  types = new Set();
  bus.publish({ kind: 'stale', what: 'channel-type', key: 'team' });
  publish('message.new');
  await settle();
  publish('message.new');

  expect(received).toEqual(['notification.message_new']);
});

test('the first and the last connection of a user are announced, those between are not', () => {
  const { hub, open, notices } = createScene();
  const [one, two] = [open(actorOf('ana')), open(actorOf('ana'))];

  hub.close(one.connection);
  expect(hub.isOnline('ana')).toBe(true);
  hub.close(two.connection);
  hub.close(two.connection);

  expect(hub.isOnline('ana')).toBe(false);
  expect(notices).toEqual(['first ana', 'last ana']);
});

test('a visitor without a name is no user, even if a user had the same id', () => {
  const { hub, open, notices } = createScene();
  open(actorOf('x'));
  const visitor = open(actorOf('x', 'anonymous'));

  hub.close(visitor.connection);

  expect(hub.isOnline('x')).toBe(true);
  expect(notices).toEqual(['first x']);
});

test('a removed member receives nothing more unless the rules let anyone watch', async () => {
  let allowed = true;
  const { hub, open, publish, settle, notices } = createScene({ mayWatch: async () => allowed });
  const { connection, received } = open(actorOf('bo'));
  await hub.startMemberships('bo', async () => ({ cids: ['team:a'] }));
  await hub.watch(connection, 'team:a');

  allowed = false;
  publish('member.removed', 'bo');
  publish('message.new');
  await settle();
  publish('message.new');

  expect(received).toEqual(['member.removed', 'notification.channel_unwatched']);
  expect(notices.at(-1)).toBe('unwatch team:a bo 0');
});

test('a recheck that is passed is not announced', async () => {
  const { hub, open, publish, settle, notices, bus } = createScene();
  const { connection, received } = open(actorOf('bo'));
  await hub.watch(connection, 'team:a');

  bus.publish({ kind: 'stale', what: 'channel-type', key: 'team' });
  await settle();
  publish('message.new');

  expect(received).toEqual(['message.new']);
  expect(notices).toEqual(['first bo', 'watch team:a bo 1']);
});

test('events during a recheck of permissions come in order, once, if they still hold', async () => {
  const { hub, open, publish, settle, bus } = createScene();
  const [watcher, member] = [open(actorOf('bo')), open(actorOf('cy'))];
  await hub.watch(watcher.connection, 'team:a');
  await hub.startMemberNotifications(member.connection);
  await hub.startMemberships('cy', async () => ({ cids: ['team:a'] }));

  publish('message.new');
  bus.publish({ kind: 'stale', what: 'channel-type', key: 'team' });
  publish('message.updated');
  bus.publish({ kind: 'stale', what: 'channel-type', key: 'team' });
  publish('message.new');
  expect(watcher.received).toEqual(['message.new']);
  await settle();
  publish('message.deleted');

  expect(watcher.received).toEqual(['message.new', 'message.updated', 'message.new', 'message.deleted']);
  expect(member.received).toEqual(['notification.message_new', 'notification.message_new']);
});

test('the last answer decides: rights that end while they are looked at again let nothing through', async () => {
  const answers = [true, true, false];
  const { hub, open, publish, settle, bus } = createScene({ mayWatch: async () => answers.shift() ?? false });
  const { connection, received } = open(actorOf('bo'));
  await hub.watch(connection, 'team:a');

  bus.publish({ kind: 'stale', what: 'channel-type', key: 'team' });
  bus.publish({ kind: 'stale', what: 'channel-type', key: 'team' });
  publish('message.new');
  await settle();

  expect(received).toEqual(['notification.channel_unwatched']);
  expect(hub.size().rooms).toBe(0);
});

test('a membership that ends while memberships are read notifies nobody', async () => {
  const { hub, open, publish } = createScene();
  const { connection, received } = open(actorOf('bo'));
  await hub.startMemberNotifications(connection);

  await hub.startMemberships('bo', async () => {
    publish('member.removed', 'bo');
    return { cids: ['team:a'] };
  });
  publish('message.new');

  expect(received).toEqual([]);
});

test('a user who may no longer connect is sent away', async () => {
  const { open, bus, settle } = createScene({ refresh: async () => undefined });
  const { closed } = open(actorOf('bo'));

  bus.publish({ kind: 'stale', what: 'user', key: 'bo' });
  await settle();

  expect(closed).toEqual([closeCodes.authentication]);
});

test('after a deletion nobody watches the channel', async () => {
  const { hub, open, publish } = createScene();
  const { connection, received } = open(actorOf('bo'));
  await hub.watch(connection, 'team:a');

  publish('channel.deleted');
  publish('message.new');

  expect(received).toEqual(['channel.deleted']);
  expect(hub.size().rooms).toBe(0);
});

test('presence goes to followers and to the user, once each', () => {
  const { hub, open, bus } = createScene();
  const [own, follower] = [open(actorOf('ana')), open(actorOf('bo'))];
  own.connection.followPresence(new Map([['people', ['ana']]]));
  follower.connection.followPresence(new Map([['people', ['ana']]]));

  bus.publish({ kind: 'presence', userId: 'ana', json: '{"type":"user.presence.changed"}' });
  hub.close(follower.connection);
  bus.publish({ kind: 'presence', userId: 'ana', json: '{"type":"user.presence.changed"}' });

  expect(own.received).toHaveLength(2);
  expect(follower.received).toHaveLength(1);
});

test('the sweep ends who is silent or whose token ended, and greets the rest', () => {
  const { hub, open, pass } = createScene();
  const [silent, expired, alive] = [open(actorOf('a')), open(actorOf('b'), 30), open(actorOf('c'))];
  pass(times.silence + 1);
  expired.connection.lastSeen = times.silence;
  alive.connection.lastSeen = times.silence;

  hub.sweep(true);

  expect(silent.closed).toEqual([closeCodes.goingAway]);
  expect(expired.closed).toEqual([closeCodes.tokenExpired]);
  expect(alive.received).toEqual(['health.check']);
});

test('nobody is taken for silent because somebody set the time of day', () => {
  const { hub, open, setNow, pass } = createScene();
  const [early, late] = [open(actorOf('a')), open(actorOf('b'))];

  setNow(3_600_000);
  hub.sweep(true);
  expect([early, late].map(({ closed }) => closed)).toEqual([[], []]);

  setNow(-3_600_000);
  pass(times.silence + 1);
  hub.sweep(true);
  expect([early, late].map(({ closed }) => closed)).toEqual([[closeCodes.goingAway], [closeCodes.goingAway]]);
});

test('a connection is found by its owner alone', () => {
  const { hub, open } = createScene();
  const { connection } = open(actorOf('ana'));
  const server: Actor = { kind: 'server', user: undefined };

  const connections = new NamedConnections({ hub, others: noOthers });

  expect(connections.find(connection.id, actorOf('ana'))).toBe(connection);
  expect(connections.find(undefined, server)).toBeUndefined();
  for (const stranger of [actorOf('bo'), actorOf('ana', 'anonymous'), server])
    expect(() => connections.find(connection.id, stranger)).toThrow('No such connection');
});

test('W4 a connection whose rights are looked at again counts as a watcher meanwhile', async () => {
  let answer: (allowed: boolean) => void = () => undefined;
  let isSlow = false;
  const mayWatch = () =>
    isSlow
      ? new Promise<boolean>((resolve) => {
          answer = resolve;
        })
      : Promise.resolve(true);
  const { hub, open, publish, notices, settle } = createScene({ mayWatch });
  const [first, second, third] = [open(actorOf('ana')), open(actorOf('bo')), open(actorOf('cy'))];
  for (const { connection } of [first, second, third]) await hub.watch(connection, 'team:a');
  isSlow = true;
  publish('member.updated', 'ana');
  await settle();

  hub.unwatch(third.connection, 'team:a');
  expect(notices.at(-1)).toBe('unwatch team:a cy 2');
  answer(true);
  await settle();

  expect(hub.watcherCount('team:a')).toBe(2);
});

test('W4 a connection that watches a channel of which events were left out watches it no longer, and asks for it anew', async () => {
  const { hub, open, publish } = createScene();
  const { connection, received } = open(actorOf('ana'));
  await hub.watch(connection, 'team:a');

  publish('notification.channel_unwatched');
  publish('message.new');

  expect(received).toEqual(['notification.channel_unwatched']);
  expect(await hub.watch(connection, 'team:a')).toBe(true);
});

test('W4 where nobody knows what changed, every connection is made anew', () => {
  const { open, bus } = createScene();
  const { closed } = open(actorOf('ana'));

  bus.publish({ kind: 'stale', what: 'everything', key: '' });

  expect(closed).toEqual([closeCodes.goingAway]);
});
