import type { ChannelState, VisibleMessage } from '@parley/client';
import { expect, test } from 'vitest';
import { markedMessage, marksOf } from './marks-of.ts';

const mine = (number: number, more: object = {}) =>
  ({
    id: `m${number}`,
    number,
    user: { id: 'me' },
    status: 'sent',
    type: 'regular',
    created_at: '2026-03-01T10:00:00.000Z',
    ...more,
  }) as VisibleMessage;

const aState = (read: object, memberCount: number, messages: VisibleMessage[] = []) =>
  ({ ownId: 'me', read, messages, channel: { member_count: memberCount } }) as unknown as ChannelState;

const bo = (more: object) => ({ bo: { user: { id: 'bo', name: 'Bo' }, last_read_number: 0, ...more } });

test.each([
  ['nobody has it', bo({}), 2, { state: 'sent' }],
  ['it arrived', bo({ last_delivered_at: '2026-03-01T10:00:01.000Z' }), 2, { state: 'delivered' }],
  ['the other one read it', bo({ last_read_number: 3 }), 2, { state: 'read' }],
  [
    'one of a group read it',
    bo({ last_read_number: 3 }),
    5,
    { state: 'read', seenBy: [{ id: 'bo', name: 'Bo' }] },
  ],
])('%s', (_, read, members, expected) => {
  expect(marksOf(aState(read, members), mine(3))).toMatchObject(expected);
});

test('marks are under the newest own message that is stored and not deleted', () => {
  const messages = [mine(1), mine(2), mine(3, { type: 'deleted' }), mine(4, { status: 'sending' })];

  expect(markedMessage(aState({}, 2, messages))?.id).toBe('m2');
});
