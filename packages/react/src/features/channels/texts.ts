import { defineTexts } from '../../i18n/catalogue.ts';

export const channelTexts = defineTexts('channels', {
  noMessagesYet: 'No messages yet',
  previewAuthor: '{name}:',
  draft: 'Draft',
  muted: 'Muted',
  pinnedChannels: 'Pinned',
  mentioned: 'You were mentioned',
  unreadCount: { one: '{count} unread message', other: '{count} unread messages' },
  memberCount: { one: '{count} member', other: '{count} members' },
  onlineCount: '{count} online',
  noConversations: 'No conversations yet',
  noConversationsHint: 'Start one, and it appears here.',
});
