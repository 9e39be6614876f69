import type { ChannelRead, ChannelState, VisibleMessage } from '@parley/client';
import { expect, test } from 'vitest';
import { aChannel, aMessage, aState, aUser } from '../../testing/records.ts';
import { markedMessage, marksOf } from './marks-of.ts';

const mine = (number: number, more: Partial<VisibleMessage> = {}) =>
  aMessage({ id: `m${number}`, number, user: aUser('me'), ...more });

const stateOf = (read: ChannelState['read'], members: number, messages: VisibleMessage[] = []) =>
  aState({ read, messages, channel: aChannel({ member_count: members }) });

const bo = (more: Partial<ChannelRead>) => ({
  bo: { user: aUser('bo', 'Bo'), last_read_number: 0, ...more },
});

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
  expect(marksOf(stateOf(read, members), mine(3))).toMatchObject(expected);
});

test('marks are under the newest own message that is stored and not deleted', () => {
  const messages = [mine(1), mine(2), mine(3, { type: 'deleted' }), mine(4, { status: 'sending' })];

  expect(markedMessage(stateOf({}, 2, messages))?.id).toBe('m2');
});
