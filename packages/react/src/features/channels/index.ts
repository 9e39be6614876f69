/** The entry `@parley/react/channels`: loaded when somebody opens a conversation's menu or has an invitation. */
export { ChannelInvites, type ChannelInvitesProps } from './channel-invites.tsx';
export { type ChannelLifeTexts, channelLifeEnglish } from './channel-life-english.ts';
export { ChannelTools, type ChannelToolsProps } from './channel-tools.tsx';
