/** The entry `@parley/react/members`: loaded when somebody looks who is in a conversation. */
export { MembersPanel, type MembersPanelProps } from './members-panel.tsx';
export { memberTexts } from './texts.ts';
