import { expect, test } from 'vitest';
import { createTexts } from '../../i18n/text.ts';
import { completionTexts } from './late-texts.ts';
import { groupOf } from './mention-groups.ts';

const text = createTexts('en')(completionTexts);

test.each([
  ['admin', 'Administrators', 'Everyone who runs this app'],
  ['moderator', 'Moderators', 'Everyone who looks after all conversations'],
  ['channel_moderator', 'Moderators here', 'Everyone who looks after this conversation'],
  ['doctor', 'doctor', 'Everyone with the role doctor'],
  ['constructor', 'constructor', 'Everyone with the role constructor'],
])('M7 the list of mentions names the role %s in words, and writes its own name', (role, label, detail) => {
  expect(groupOf({ kind: 'role', role }, text)).toMatchObject({ label, detail, insert: `@${role}` });
});

test('M7 the list of mentions offers everyone who is online, and everyone', () => {
  expect(groupOf({ kind: 'here' }, text)).toMatchObject({ label: 'here', insert: '@here' });
  expect(groupOf({ kind: 'channel' }, text)).toMatchObject({ label: 'channel', insert: '@channel' });
});
