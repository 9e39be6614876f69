/** The entry `@parley/react/channels`: loaded when somebody opens a conversation's menu or has an invitation. */
import { MenuPopup } from '../../ui/menu.tsx';

export { ChannelInvites, type ChannelInvitesProps } from './channel-invites.tsx';
export { ChannelTools, type ChannelToolsProps } from './channel-tools.tsx';
export { lateChannelTexts as channelTexts } from './late-texts.ts';
export { useDirect } from './use-direct.ts';

/** Loads the popups that the tools open: without a network they could not come when they are first asked for. */
export const loadPopups = (): Promise<void> => MenuPopup.preload();
