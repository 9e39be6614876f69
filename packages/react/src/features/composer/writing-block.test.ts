import type { Capability, Channel, ChannelState } from '@parley/client';
import { expect, test } from 'vitest';
import { aChannel, aMember, aMessage, aState, aUser } from '../../testing/records.ts';
import { slowUntil, writingBlock } from './writing-block.ts';

const me = { id: 'me', role: 'user' };

const stateOf = (channel: Partial<Channel>, capabilities: Capability[], more: Partial<ChannelState> = {}) =>
  aState({ channel: aChannel(channel), capabilities: new Set(capabilities), ...more });

test.each([
  ['a member who may write', stateOf({}, ['send-message']), me, undefined],
  ['anonymous', stateOf({}, []), { id: 'anonymous', role: 'anonymous' }, 'writeAnonymous'],
  ['nobody', stateOf({}, ['send-message']), undefined, 'writeAnonymous'],
  ['frozen', stateOf({ frozen: true }, ['send-message']), me, 'writeFrozen'],
  ['frozen, for who may lift it too', stateOf({ frozen: true }, ['freeze-channel']), me, 'writeFrozen'],
  ['disabled', stateOf({ disabled: true }, ['send-message']), me, 'writeDisabled'],
  ['banned', stateOf({}, [], { membership: aMember('me', { banned: true }) }), me, 'writeBanned'],
  ['no permission', stateOf({}, []), me, 'writeNotAllowed'],
])('%s', (_, state, who, expected) => {
  expect(writingBlock(state, who)).toBe(expected);
});

test('slow mode counts from the own last message that was stored', () => {
  const messages = [
    aMessage({ user: aUser('me'), created_at: '2026-03-01T10:00:00.000Z' }),
    aMessage({ user: aUser('bo'), created_at: '2026-03-01T10:00:05.000Z' }),
    aMessage({ user: aUser('me'), status: 'failed', created_at: '2026-03-01T10:00:06.000Z' }),
  ];

  expect(slowUntil(stateOf({ cooldown: 10 }, [], { messages }))).toBe(Date.parse('2026-03-01T10:00:10.000Z'));
  expect(slowUntil(stateOf({ cooldown: 10 }, ['skip-slow-mode'], { messages }))).toBe(0);

  const reply = aMessage({ user: aUser('me'), created_at: '2026-03-01T10:00:07.000Z' });
  const threads = {
    m: { messages: [reply], unsequenced: 0, hasOlder: false, hasNewer: false, isLoading: false },
  };
  const replied = stateOf({ cooldown: 10 }, [], { messages, threads });
  expect(slowUntil(replied)).toBe(Date.parse('2026-03-01T10:00:17.000Z'));
});
