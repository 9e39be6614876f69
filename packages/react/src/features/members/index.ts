/** The entry `@parley/react/members`: loaded when somebody opens the members of a conversation. */
export { MembersPanel, type MembersPanelProps } from './members-panel.tsx';
export { memberTexts } from './texts.ts';
