import type { ChannelState } from '@parley/client';
import { expect, test } from 'vitest';
import { addBegun } from './begun-channels.ts';

const states: Record<string, object> = {
  pinned: { channel: {}, membership: { pinned_at: '2026-03-01T10:00:00.000Z' } },
  old: { channel: {}, membership: {} },
  begun: { channel: {}, membership: {} },
  hidden: { channel: { hidden: true }, membership: {} },
  archived: { channel: {}, membership: { archived_at: '2026-03-01T10:00:00.000Z' } },
};
const stateOf = (cid: string) => states[cid] as ChannelState | undefined;
const chats = { filter: { members: { $in: ['ana'] }, archived: false } };

test('M2 a conversation that was begun here stands below the pinned ones, once', () => {
  expect(addBegun(['pinned', 'old'], ['begun', 'old'], chats, stateOf)).toEqual(['pinned', 'begun', 'old']);
});

test('M14 a begun conversation that was hidden, archived or deleted since is not in the list', () => {
  expect(addBegun(['old'], ['hidden', 'archived', 'deleted'], chats, stateOf)).toEqual(['old']);
});

test.each([{ archived: true }, { hidden: true }])('M14 the list of %j has no begun conversation', (shelf) => {
  expect(addBegun([], ['begun'], { filter: { members: { $in: ['ana'] }, ...shelf } }, stateOf)).toEqual([]);
});
