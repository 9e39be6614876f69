import type { ChannelState } from '@parley/client';
import { expect, test } from 'vitest';
import { slowUntil, writingBlock } from './writing-block.ts';

const me = { id: 'me', role: 'user' };

const aState = (channel: object, capabilities: string[], more: object = {}) =>
  ({
    ownId: 'me',
    channel: { disabled: false, frozen: false, cooldown: 0, ...channel },
    capabilities: new Set(capabilities),
    messages: [],
    threads: {},
    ...more,
  }) as unknown as ChannelState;

test.each([
  ['a member who may write', aState({}, ['send-message']), me, undefined],
  ['anonymous', aState({}, []), { id: 'anonymous', role: 'anonymous' }, 'writeAnonymous'],
  ['nobody', aState({}, ['send-message']), undefined, 'writeAnonymous'],
  ['frozen', aState({ frozen: true }, ['send-message']), me, 'writeFrozen'],
  ['frozen, for who may lift it too', aState({ frozen: true }, ['freeze-channel']), me, 'writeFrozen'],
  ['disabled', aState({ disabled: true }, ['send-message']), me, 'writeDisabled'],
  ['banned', aState({}, [], { membership: { banned: true } }), me, 'writeBanned'],
  ['no permission', aState({}, []), me, 'writeNotAllowed'],
])('%s', (_, state, who, expected) => {
  expect(writingBlock(state, who)).toBe(expected);
});

test('slow mode counts from the own last message that was stored', () => {
  const messages = [
    { user: { id: 'me' }, status: 'sent', created_at: '2026-03-01T10:00:00.000Z' },
    { user: { id: 'bo' }, status: 'sent', created_at: '2026-03-01T10:00:05.000Z' },
    { user: { id: 'me' }, status: 'failed', created_at: '2026-03-01T10:00:06.000Z' },
  ];

  expect(slowUntil(aState({ cooldown: 10 }, [], { messages }))).toBe(Date.parse('2026-03-01T10:00:10.000Z'));
  expect(slowUntil(aState({ cooldown: 10 }, ['skip-slow-mode'], { messages }))).toBe(0);

  const threads = { m: { messages: [{ ...messages[0], created_at: '2026-03-01T10:00:07.000Z' }] } };
  const replied = aState({ cooldown: 10 }, [], { messages, threads });
  expect(slowUntil(replied)).toBe(Date.parse('2026-03-01T10:00:17.000Z'));
});
