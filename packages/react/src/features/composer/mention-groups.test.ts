import { expect, test } from 'vitest';
import { createTexts } from '../../i18n/text.ts';
import { completionTexts } from './late-texts.ts';
import { groupsFor } from './mention-groups.ts';

const text = createTexts('en')(completionTexts);

test.each([
  ['admin', 'Administrators', 'Everyone who runs this app'],
  ['moderator', 'Moderators', 'Everyone who looks after all conversations'],
  ['channel_moderator', 'Moderators here', 'Everyone who looks after this conversation'],
  ['doctor', 'doctor', 'Everyone with the role doctor'],
  ['constructor', 'constructor', 'Everyone with the role constructor'],
])('M7 the list of mentions names the role %s in words, and writes its own name', (role, label, detail) => {
  expect(groupsFor([{ kind: 'role', role }], '', text)).toMatchObject([
    { label, detail, insert: `@${role}` },
  ]);
});

test('M7 the list of mentions offers everyone who is online, and everyone', () => {
  expect(groupsFor([{ kind: 'here' }, { kind: 'channel' }], '', text)).toMatchObject([
    { label: 'here', insert: '@here' },
    { label: 'channel', insert: '@channel' },
  ]);
});

test.each([
  ['admini', ['admin']],
  ['here', ['here', 'channel_moderator']],
  ['Moderators h', ['channel_moderator']],
  ['mod', ['moderator', 'channel_moderator']],
  ['channel_mod', ['channel_moderator']],
  ['min', []],
])('M7 the list of mentions finds groups by their words and by their names: %s', (query, names) => {
  const roles = ['admin', 'moderator', 'channel_moderator'];
  const all = [
    {
      kind: 'user' as const,
      user: { id: 'here', role: 'user', online: false, created_at: '', updated_at: '' },
    },
    { kind: 'here' as const },
    ...roles.map((role) => ({ kind: 'role' as const, role })),
  ];

  expect(groupsFor(all, query, text).map(({ insert }) => insert)).toEqual(names.map((name) => `@${name}`));
});
