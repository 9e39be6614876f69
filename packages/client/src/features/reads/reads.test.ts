import type { EventOf } from '@parley/protocol';
import { expect, test } from 'vitest';
import { createBatch } from '../../readable.ts';
import { overlay, unreadOf } from '../../sync/overlay.ts';
import { findMark, versionAt } from '../../sync/read-state.ts';
import { fromSnapshot } from '../../sync/snapshot.ts';
import type { ChannelState, ConfirmedChannel } from '../../sync/state.ts';
import { createUserCache } from '../../sync/user-cache.ts';
import { aMessage, aRead, aSnapshot, at, aUser } from '../../testing/records.ts';
import { explainUnread, isDeliveredTo, selectFirstUnread } from './explain.ts';
import { readsReducers } from './reducer.ts';
import { deliveredTo, seenBy } from './selectors.ts';

const cid = 'messaging:general';
const messages = [
  aMessage('m1', { number: 1, created_at: at(1) }),
  aMessage('quiet', { number: 1, silent: true, created_at: at(2) }),
  aMessage('m2', { number: 2, created_at: at(3) }),
  aMessage('m3', { number: 3, type: 'deleted', created_at: at(4) }),
];
const confirmed = (ownRead: number): ConfirmedChannel => {
  const read = [aRead('ann', ownRead), aRead('bea', 0), { ...aRead('cid', 2), last_delivered_at: at(4) }];
  const reply = structuredClone(aSnapshot(cid, { messages, read, last_number: 3, seq: 4 }));
  return fromSnapshot(reply, { ownId: 'ann', users: createUserCache(10, createBatch()) }, 10);
};
const visible = (ownRead: number): ChannelState =>
  overlay(confirmed(ownRead), [], { seq: 4, isStale: false });
const ids = (users: { id: string }[]) => users.map(({ id }) => id);

test('M10 unread is the last number less the own mark, never below zero', () => {
  expect([0, 1, 3, 9].map((number) => unreadOf(confirmed(number)))).toEqual([3, 2, 0, 0]);
});

test('M10 a user who is no member has nothing unread', () => {
  expect(unreadOf({ ...confirmed(0), marks: [] })).toBe(0);
});

test('M10 a user who cannot mark messages read, or has not joined yet, has nothing unread', () => {
  const state = confirmed(0);
  const membership = { user_id: 'ann', channel_role: 'channel_member', created_at: at(0), updated_at: at(0) };

  expect(unreadOf({ ...state, capabilities: new Set(['read-channel']) })).toBe(0);
  expect(unreadOf({ ...state, membership: { ...membership, invited: true } })).toBe(0);
  expect(unreadOf({ ...state, membership })).toBe(3);
});

test('M10 explainUnread names each message and why it counts or not', () => {
  const { messages: explained, unread } = explainUnread(visible(1));

  expect(unread).toBe(2);
  expect(explained.map(({ id, reason }) => `${id} ${reason}`)).toEqual([
    'm1 read',
    'quiet silent',
    'm2 counts',
    'm3 counts',
  ]);
});

test('M10 the unread marker stands before the first message that counts', () => {
  expect(selectFirstUnread(visible(1))?.id).toBe('m2');
  expect(selectFirstUnread(visible(3))).toBeUndefined();
});

test('M10 seen-by leaves out the author and the own user', () => {
  const message = aMessage('m2', { number: 2, created_at: at(3) });

  expect(ids(seenBy(visible(3), message))).toEqual(['cid']);
  expect(ids(deliveredTo(visible(3), message))).toEqual(['cid']);
  expect(isDeliveredTo(visible(3), message, 'bea')).toBe(false);
});

test('M10 the own mark goes where the latest version puts it, in whatever order the versions come', () => {
  const event = (seq: number, number: number) =>
    ({
      type: 'message.read',
      cid,
      seq,
      created_at: at(9),
      user: aUser('ann'),
      last_read: at(9),
      last_read_number: number,
    }) as EventOf<'message.read'>;
  const back = {
    type: 'notification.mark_unread',
    cid,
    created_at: at(9),
    read: { ...aRead('ann', 1), version: versionAt(6) + 1 },
  } as const;

  const ahead = readsReducers['message.read'](confirmed(1), event(6, 3));
  const late = readsReducers['message.read'](ahead, event(5, 2));
  const unread = readsReducers['notification.mark_unread'](late, back);
  const again = readsReducers['message.read'](unread, event(6, 3));
  const last = readsReducers['message.read'](again, event(7, 3));

  expect([ahead, late, unread, again, last].map(unreadOf)).toEqual([0, 0, 2, 2, 0]);
});

test('S11 of two deliveries at the same moment the later in the log counts', () => {
  const event = (id: string) =>
    ({
      type: 'message.delivered',
      cid,
      created_at: at(5),
      user: aUser('cid'),
      last_delivered_at: at(5),
      last_delivered_message_id: id,
    }) as EventOf<'message.delivered'>;

  const first = readsReducers['message.delivered'](confirmed(1), event('m1'));
  const second = readsReducers['message.delivered'](first, event('m2'));

  expect(findMark(second, 'cid')).toMatchObject({ last_delivered_message_id: 'm2', last_read_number: 2 });
});

test('the marks by user are part of a copy of the state, and the same object each time', () => {
  const state = visible(1);

  expect(Object.keys({ ...state }.read)).toEqual(['ann', 'bea', 'cid']);
  expect(state.read).toBe(state.read);
});
