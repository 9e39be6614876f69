/** The entry `@parley/react/channels`: loaded when somebody opens a conversation's menu or has an invitation. */
export { ChannelInvites, type ChannelInvitesProps } from './channel-invites.tsx';
export { ChannelTools, type ChannelToolsProps } from './channel-tools.tsx';
export { lateChannelTexts as channelTexts } from './late-texts.ts';
export { useDirect } from './use-direct.ts';
