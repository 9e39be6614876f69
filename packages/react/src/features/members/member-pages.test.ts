import type { Member } from '@parley/client';
import { expect, test } from 'vitest';
import { aMember, aUser } from '../../testing/records.ts';
import { type MemberPages, withMember, withoutMember, withPage } from './member-pages.ts';

const member = (name: string, more: Partial<Member> = {}) =>
  aMember(name.toLowerCase(), { user: aUser(name.toLowerCase(), name), ...more });
const pages = (names: string[], next?: string): MemberPages => ({
  members: names.map((name) => member(name)),
  next,
});
const namesOf = ({ members }: MemberPages) => members.map(({ user }) => user?.name);

test('M14 a new member is inserted in the order of names', () => {
  expect(namesOf(withMember(pages(['Ana', 'Cy']), member('Bo'), ''))).toEqual(['Ana', 'Bo', 'Cy']);
  expect(namesOf(withMember(pages(['Ana', 'Cy']), member('Zed'), ''))).toEqual(['Ana', 'Cy', 'Zed']);
});

test('M14 a member of a page that is not loaded comes with that page', () => {
  expect(namesOf(withMember(pages(['Ana', 'Cy'], 'more'), member('Zed'), ''))).toEqual(['Ana', 'Cy']);
});

test('M14 a search shows only members that match, and keeps those that are shown when they change', () => {
  expect(namesOf(withMember(pages(['Bo']), member('Ana'), 'b'))).toEqual(['Bo']);
  const changed = withMember(pages(['Bo']), member('Bo', { channel_role: 'channel_moderator' }), 'b');
  expect(changed.members[0]?.channel_role).toBe('channel_moderator');
});

test('M14 a removed member disappears, and a page adds nobody twice', () => {
  expect(namesOf(withoutMember(pages(['Ana', 'Bo']), 'ana'))).toEqual(['Bo']);
  expect(withPage(pages(['Ana', 'Bo'], 'a'), pages(['Bo', 'Cy'], 'b'))).toEqual(
    pages(['Ana', 'Bo', 'Cy'], 'b'),
  );
});
