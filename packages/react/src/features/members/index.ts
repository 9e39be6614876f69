/** The entry `@parley/react/members`: loaded when somebody looks who is in a conversation. */
export { type MembersTexts, membersEnglish } from './english.ts';
export { MembersPanel, type MembersPanelProps } from './members-panel.tsx';
