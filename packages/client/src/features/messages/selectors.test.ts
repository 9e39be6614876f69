import { expect, test } from 'vitest';
import { createBatch } from '../../readable.ts';
import { overlay } from '../../sync/overlay.ts';
import { fromSnapshot } from '../../sync/snapshot.ts';
import type { ChannelState } from '../../sync/state.ts';
import { createUserCache } from '../../sync/user-cache.ts';
import { aChannel, aMessage, aSnapshot, at, aUser } from '../../testing/records.ts';
import { canReact } from '../reactions/selectors.ts';
import { canDelete, canEdit, canPin, canQuote, canReply, canSend, isEdited, isOwn } from './selectors.ts';

const me = { id: 'ann' };
const stateWith = (own_capabilities: string[], said = {}): ChannelState => {
  const channel = aChannel('messaging:general', { own_capabilities, ...said });
  const reply = aSnapshot('messaging:general', { channel });
  const users = createUserCache(10, createBatch());
  return overlay(fromSnapshot(reply, { ownId: 'ann', users }, 10), [], { seq: 0, isStale: false });
};
const mine = aMessage('a', { user: aUser('ann') });
const theirs = aMessage('b');
const deleted = aMessage('c', { type: 'deleted', user: aUser('ann') });

test('M4 sending needs a user, the capability, and a channel that takes messages', () => {
  expect(canSend(stateWith(['send-message']), me)).toBe(true);
  expect(canSend(stateWith(['send-message']), undefined)).toBe(false);
  expect(canSend(stateWith([]), me)).toBe(false);
  expect(canSend(stateWith(['send-message'], { frozen: true }), me)).toBe(false);
  expect(canSend(stateWith(['send-message'], { disabled: true }), me)).toBe(false);
  expect(canReply(stateWith(['send-reply']), me)).toBe(true);
});

test.each([
  ['own', mine, [], true],
  ["another's", theirs, [], false],
  ["another's, by capability", theirs, ['update-message', 'delete-message'], true],
  ['deleted', deleted, ['update-message', 'delete-message'], false],
])('M4 editing and deleting: %s', (_, message, capabilities, expected) => {
  const state = stateWith(capabilities);

  expect([canEdit(state, me, message), canDelete(state, me, message)]).toEqual([expected, expected]);
});

test('M4 a message that is still being sent can be neither quoted, pinned nor reacted to', () => {
  const state = stateWith(['send-message', 'quote-message', 'pin-message', 'send-reaction']);
  const sending = { ...mine, status: 'sending' };

  expect([canQuote, canPin, canReact].map((can) => can(state, me, mine))).toEqual([true, true, true]);
  expect([canQuote, canPin, canReact].map((can) => can(state, me, sending))).toEqual([false, false, false]);
});

test('own and edited are read from the message', () => {
  expect([isOwn(mine, me), isOwn(theirs, me), isOwn(mine, undefined)]).toEqual([true, false, false]);
  expect([isEdited(mine), isEdited({ ...mine, message_text_updated_at: at(2) })]).toEqual([false, true]);
});
