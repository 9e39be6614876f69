import type { VisibleMessage } from '@parley/client';
import { expect, test } from 'vitest';
import { type ItemOptions, messageItems, threadItems } from './message-items.ts';

const aMessage = (number: number, author: string, at: string, more: Partial<VisibleMessage> = {}) =>
  ({
    id: `m${number}`,
    number,
    user: { id: author },
    created_at: `2026-03-${at}:00.000Z`,
    type: 'regular',
    status: 'sent',
    silent: false,
    ...more,
  }) as VisibleMessage;

const shape = (messages: VisibleMessage[], options: Partial<ItemOptions> = {}) =>
  messageItems(messages, { ownId: 'me', dayOf: (at) => at.slice(0, 10), ...options }).map((item) =>
    item.kind === 'message'
      ? `${item.startsGroup ? '[' : ''}${item.key}${item.endsGroup ? ']' : ''}`
      : item.kind === 'unread'
        ? `unread ${item.count}`
        : item.key,
  );

test('one author within five minutes is one run', () => {
  const messages = [
    aMessage(1, 'bo', '01T10:00'),
    aMessage(2, 'bo', '01T10:04'),
    aMessage(3, 'bo', '01T10:09'),
  ];

  expect(shape(messages)).toEqual(['day 2026-03-01', '[m1', 'm2]', '[m3]']);
});

test('another author, another day and a system message end a run', () => {
  const messages = [
    aMessage(1, 'bo', '01T23:58'),
    aMessage(2, 'bo', '02T00:00'),
    aMessage(3, 'ana', '02T00:01'),
    aMessage(4, 'ana', '02T00:01', { type: 'system' }),
  ];

  expect(shape(messages)).toEqual(['day 2026-03-01', '[m1]', 'day 2026-03-02', '[m2]', '[m3]', '[m4]']);
});

test('the unread separator is before the first unread of others and ends the run', () => {
  const messages = [
    aMessage(1, 'bo', '01T10:00'),
    aMessage(2, 'me', '01T10:00'),
    aMessage(3, 'bo', '01T10:01'),
    aMessage(4, 'bo', '01T10:01'),
  ];

  expect(shape(messages, { unread: { after: 1, count: 2 } })).toEqual([
    'day 2026-03-01',
    '[m1]',
    '[m2]',
    'unread 2',
    '[m3',
    'm4]',
  ]);
});

test('no separator while its boundary is not loaded', () => {
  const messages = [aMessage(8, 'bo', '01T10:00'), aMessage(9, 'bo', '01T10:00')];

  expect(shape(messages, { unread: { after: 3, count: 2 } })).not.toContain('unread 2');
  expect(shape(messages, { unread: { after: 3, count: 2 }, isComplete: true })).toContain('unread 2');
});

test('nothing unread, no separator', () => {
  expect(shape([aMessage(1, 'bo', '01T10:00')], { unread: { after: 1 }, isComplete: true })).toHaveLength(2);
});

test('a thread shows its message, the number of replies and then them, each day once', () => {
  const parent = aMessage(1, 'bo', '01T10:00', { reply_count: 2 });
  const replies = [aMessage(2, 'bo', '01T10:01'), aMessage(3, 'bo', '02T10:00')];
  const options = { ownId: 'me', isComplete: true, dayOf: (at: string) => at.slice(0, 10) };

  const keys = threadItems(parent, replies, options).map(({ key }) => key);

  expect(keys).toEqual(['day 2026-03-01', 'm1', 'replies', 'm2', 'day 2026-03-02', 'm3']);
});

test('the message of a thread is left out while older replies are to come', () => {
  const items = threadItems(aMessage(1, 'bo', '01T10:00'), [aMessage(9, 'bo', '01T10:01')], { ownId: 'me' });

  expect(items.map(({ kind }) => kind)).toEqual(['date', 'message']);
});
