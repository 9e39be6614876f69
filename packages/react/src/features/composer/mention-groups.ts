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

const startsWord = (name: string, query: string, gap: ' ' | '_'): boolean =>
  `${gap}${name}`.toLowerCase().includes(`${gap}${query}`.toLowerCase());

/** Whether a word of a name begins with what is typed. */
export const fits = (name: string, query: string): boolean => startsWord(name, query, ' ');

/** The entry of the list by which a message mentions several people at once. */
const groupOf = (called: Group, text: Words): Completion => {
  const name = called.kind === 'role' ? called.role : called.kind;
  const [label, detail] = wordsOf(called, text);
  return { id: `group ${name}`, lead: '@', label, detail, insert: `@${name}` };
};

/** The entries of groups of which the label, or the name that is written, fits: the words of a role are joined by underscores. */
export const groupsFor = (all: readonly Called[], query: string, text: Words): readonly Completion[] =>
  all
    .flatMap((called) => (called.kind === 'user' ? [] : [groupOf(called, text)]))
    .filter(({ label, insert }) => fits(label, query) || startsWord(insert.slice(1), query, '_'));
