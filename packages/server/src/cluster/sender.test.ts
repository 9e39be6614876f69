import { expect, test, vi } from 'vitest';
import type { BusEvent } from '../bus/bus.ts';
import type { Link } from '../bus/link.ts';
import { readLinkText } from '../bus/link-text.ts';
import type { Db } from '../db/schema.ts';
import { Sender } from './sender.ts';

const createScene = (isBroadcast: boolean, mostBytes = 10_000) => {
  const sent: { subject: string; text: string }[] = [];
  const link: Link = {
    ...{ isBroadcast, mostBytes },
    send: (subject, text) => void sent.push({ subject, text }),
    hear: () => undefined,
    unhear: () => undefined,
    settled: async () => undefined,
    isUp: () => true,
    start: async () => undefined,
    stop: async () => undefined,
  };
  const row = { executeTakeFirstOrThrow: async () => ({ id: 7 }) };
  const db = { insertInto: () => ({ values: () => ({ returning: () => row }) }) };
  const onError = (error: unknown) => {
    throw error;
  };
  const sender = new Sender({ self: 'one', link, db: db as unknown as Db, onError });
  return { sender, read: () => sent.map(({ subject, text }) => ({ subject, message: readLinkText(text) })) };
};

const forBoth: BusEvent = { kind: 'users', userIds: ['ana', 'bo'], type: 'x', json: '{}' };

test('W4 a server that holds two users of an event hears of each once', () => {
  const { sender, read } = createScene(false);

  sender.forward(forBoth);

  expect(read()).toEqual(
    ['ana', 'bo'].map((id) => ({
      subject: `user ${id}`,
      message: { from: 'one', kind: 'event', event: { ...forBoth, userIds: [id] } },
    })),
  );
});

test('W4 where every server hears every text, one is sent for all users', () => {
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
