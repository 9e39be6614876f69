import { expect, test, vi } from 'vitest';
import type { BusEvent } from '../bus/bus.ts';
import type { Link } from '../bus/link.ts';
import { readLinkText } from '../bus/link-text.ts';
import type { Db } from '../db/schema.ts';
import { systemClock } from '../lib/clock.ts';
import { Sender } from './sender.ts';

const createScene = (isBroadcast: boolean, mostBytes = 10_000) => {
  const sent: { subject: string; text: string }[] = [];
  const byDatabase: string[] = [];
  const silent = new Set<string>();
  let isUp = true;
  let elapsed = 0;
  const clock = { ...systemClock, elapsed: () => elapsed };
  const link: Link = {
    ...{ isBroadcast, mostBytes },
    send: (subject, text) => {
      if (isUp) sent.push({ subject, text });
      return isUp;
    },
    subscribe: () => undefined,
    unsubscribe: () => undefined,
    settled: async () => undefined,
    isUp: () => isUp,
    start: async () => undefined,
    stop: async () => undefined,
  };
  const database: Link = {
    ...link,
    ...{ isBroadcast: true, mostBytes: 300 },
    send: (_subject, text) => byDatabase.push(text) > 0,
  };
  const row = { executeTakeFirstOrThrow: async () => ({ id: 7 }) };
  const db = { insertInto: () => ({ values: () => ({ returning: () => row }) }) };
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const delays = { now: () => 5 };
  const sender = new Sender({
    ...{ self: 'one', link, database, db: db as unknown as Db, clock, delays, onError },
    isSilent: (id) => silent.has(id),
  });
  return {
    sender,
    errors,
    silent,
    readDatabase: () => byDatabase.map(readLinkText),
    read: () => sent.map(({ subject, text }) => ({ subject, message: readLinkText(text) })),
    setUp: (given: boolean) => {
      isUp = given;
    },
    pass: (ms: number) => {
      elapsed += ms;
    },
  };
};

const forBoth: BusEvent = { kind: 'users', userIds: ['ana', 'bo'], type: 'x', json: '{}' };

test('W4 a server that holds two users of an event receives each once', () => {
  const { sender, read } = createScene(false);

  sender.forward(forBoth);

  expect(read()).toEqual(
    ['ana', 'bo'].map((id) => ({
      subject: `user ${id}`,
      message: { from: 'one', kind: 'event', event: { ...forBoth, userIds: [id] } },
    })),
  );
});

test('W4 where every server receives every text, one is sent for all users', () => {
  const { sender, read } = createScene(true);

  sender.forward(forBoth);

  expect(read().map(({ message }) => message)).toEqual([{ from: 'one', kind: 'event', event: forBoth }]);
});

test('W4 a new member whose event is too long for the bus is known to servers that do not follow the channel', async () => {
  const { sender, read } = createScene(true, 300);
  const json = `"${'x'.repeat(400)}"`;
  const about = { kind: 'channel' as const, cid: 'team:a', json };

  sender.forward({ ...about, type: 'message.new', seq: 1 });
  sender.forward({ ...about, type: 'member.added', seq: 2, userId: 'ana' });

  await vi.waitFor(() =>
    expect(read().map(({ message }) => message)).toEqual([
      { from: 'one', kind: 'logged', cid: 'team:a', seq: 1 },
      { from: 'one', kind: 'stored', id: 7 },
    ]),
  );
});

test('W4 a list of users that is too long for the bus is sent in parts: one that is stored would be overtaken', () => {
  const { sender, read } = createScene(true, 300);
  const userIds = Array.from({ length: 5 }, (_, n) => `${n}`.repeat(60));

  sender.send('all', { kind: 'present', userIds, isFirst: true, isLast: true });

  const parts = read().flatMap(({ message }) => (message.kind === 'present' ? message : []));
  expect(parts.flatMap((part) => part.userIds)).toEqual(userIds);
  expect(parts.map(({ isFirst }) => isFirst)).toEqual(parts.map((_, at) => at === 0));
  expect(parts.map(({ isLast }) => isLast)).toEqual(parts.map((_, at) => at === parts.length - 1));
});

test('W4 a bus that takes almost nothing drops texts and says so, and the server goes on', async () => {
  const { sender, errors } = createScene(true, 30);

  sender.forward({ kind: 'channel', cid: 'team:a', type: 'message.new', seq: 1, json: '{}' });
  sender.beat();

  await vi.waitFor(() => expect(sender.counts.dropped).toBe(2));
  expect(errors).toHaveLength(2);
});

test('W4 users whose events were sent just before the link was cut, or meanwhile, are named once it is there again', () => {
  const { sender, setUp, pass } = createScene(false);
  const notify = (id: string) => sender.forward({ kind: 'users', userIds: [id], type: 'x', json: '{}' });
  notify('long-ago');
  pass(60_000);
  notify('just-before');
  setUp(false);
  pass(60_000);
  notify('meanwhile');

  expect(sender.takeLost()).toEqual(['just-before', 'meanwhile']);
  expect(sender.takeLost()).toBe(undefined);
  expect(sender.counts.dropped).toBe(1);
});

test('W4 a changed name that was not sent concerns everybody', () => {
  const { sender, setUp } = createScene(false);
  setUp(false);

  sender.forward({ kind: 'presence', userId: 'ana', json: '{}' });

  expect(sender.takeLost()).toBe('all');
});

test('W4 questions and answers go by the database where the bus does not reach the other server', async () => {
  const { sender, read, readDatabase, setUp, silent } = createScene(false);
  const ask = { kind: 'ask' as const, to: 'two', id: '1', call: 'find', args: {} };
  const answer = { kind: 'answer' as const, to: 'two', id: '1', result: true };
  sender.send('server two', ask);
  expect([read().length, readDatabase().length]).toEqual([1, 0]);

  silent.add('two');
  sender.send('server two', answer);
  silent.clear();
  setUp(false);
  sender.send('server two', ask);
  sender.send('server two', { ...ask, args: 'x'.repeat(400) });
  sender.beat();

  await vi.waitFor(() =>
    expect(readDatabase()).toEqual(
      [answer, ask, { kind: 'stored', id: 7, to: 'two' }].map((message) => ({ from: 'one', ...message })),
    ),
  );
  expect([read().length, sender.counts.dropped]).toEqual([1, 1]);
});
