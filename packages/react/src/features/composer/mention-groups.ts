import type { Called } from '@parley/client/mentions';
import type { TextOf } from '../../i18n/text.ts';
import type { Completion } from './completion-list.tsx';
import type { completionTexts } from './late-texts.ts';

type Group = Exclude<Called, { kind: 'user' }>;
type Words = TextOf<typeof completionTexts>;

/** The roles that every server has, in words; those of a product have the names that it gave them. */
const builtIn = {
  admin: ['roleAdmin', 'mentionAdmins'],
  moderator: ['roleModerator', 'mentionModerators'],
  channel_moderator: ['roleModeratorHere', 'mentionModeratorsHere'],
} as const;

const isBuiltIn = (role: string): role is keyof typeof builtIn => Object.hasOwn(builtIn, role);

const wordsOf = (called: Group, text: Words): [label: string, detail: string] => {
  if (called.kind === 'here') return [called.kind, text('mentionHere')];
  if (called.kind === 'channel') return [called.kind, text('mentionChannel')];
  const { role } = called;
  if (!isBuiltIn(role)) return [role, text('mentionRole', { name: role })];
  const [label, detail] = builtIn[role];
  return [text(label), text(detail)];
};

/** The entry of the list by which a message mentions several people at once. */
export const groupOf = (called: Group, text: Words): Completion => {
  const name = called.kind === 'role' ? called.role : called.kind;
  const [label, detail] = wordsOf(called, text);
  return { id: `group ${name}`, lead: '@', label, detail, insert: `@${name}` };
};
