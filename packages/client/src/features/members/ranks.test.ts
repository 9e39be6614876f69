import type { Capability, Member } from '@parley/protocol';
import { expect, test } from 'vitest';
import { aChannel, aUser } from '../../testing/records.ts';
import { canGrantRole, canRemoveMember } from './ranks.ts';

const member = (user_id: string, channel_role = 'channel_member') => ({ user_id, channel_role }) as Member;
const manage: Capability[] = ['remove-channel-members', 'grant-channel-roles'];
const stateOf = (role: string | undefined, rights: Capability[] = manage) => ({
  channel: aChannel('team:a', { created_by: aUser('owner') }),
  membership: role === undefined ? undefined : member('me', role),
  capabilities: new Set(rights),
});
const plain = member('cy');
const moderator = member('mo', 'channel_moderator');
const owner = member('owner');

test('M14 members are managed from above, with the right to', () => {
  const asModerator = stateOf('channel_moderator');
  const me = { id: 'me', role: 'user' };
  expect([plain, moderator, owner].map((one) => canRemoveMember(asModerator, me, one))).toEqual([
    true,
    false,
    false,
  ]);
  expect(canGrantRole(asModerator, me, plain)).toBe(true);
  expect(canRemoveMember(stateOf('channel_moderator', []), me, plain)).toBe(false);
  expect(canRemoveMember(stateOf('channel_member'), me, plain)).toBe(false);
});

test('M14 the owner manages all others, staff of the app moderators, and who deletes channels the owner too', () => {
  const others = [plain, moderator, owner];
  const ask = (me: { id: string; role: string }, rights?: Capability[]) =>
    others.map((one) => canRemoveMember(stateOf(undefined, rights), me, one));
  expect(ask({ id: 'owner', role: 'user' })).toEqual([true, true, false]);
  expect(ask({ id: 'me', role: 'moderator' })).toEqual([true, true, false]);
  expect(ask({ id: 'me', role: 'admin' }, [...manage, 'delete-channel'])).toEqual([true, true, true]);
});

test('M14 staff of the app who are plain members are managed by those above them alone', () => {
  const staff = ['admin', 'moderator', 'designer'].map((role) => ({
    ...plain,
    user: { ...aUser('cy'), role },
  }));
  const ask = (me: { id: string; role: string }, channelRole?: string, rights?: Capability[]) =>
    staff.map((one) => canRemoveMember(stateOf(channelRole, rights), me, one));
  expect(ask({ id: 'me', role: 'user' }, 'channel_moderator')).toEqual([false, false, true]);
  expect(ask({ id: 'owner', role: 'user' })).toEqual([false, true, true]);
  expect(ask({ id: 'me', role: 'moderator' })).toEqual([false, false, true]);
  expect(ask({ id: 'me', role: 'admin' }, undefined, [...manage, 'delete-channel'])).toEqual([
    false,
    true,
    true,
  ]);
});
