import './theme/layers.css';

export { ChannelHeader, type ChannelHeaderProps } from './chat/channel-header.tsx';
export { ClientProvider, type ClientProviderProps, useClient, useMe } from './chat/client-provider.tsx';
export {
  type Opening,
  useChannel,
  useChannelTitle,
  useOpenChannel,
} from './chat/use-channel.ts';
export { useIsFirstScreenReady } from './chat/use-first-screen.ts';
export { useReadable } from './chat/use-readable.ts';
export { useRefusal } from './chat/use-refusal.ts';
export { ConnectedBanner, type ConnectedBannerProps, useConnection } from './connection/connected-banner.tsx';
export {
  type ConnectedClient,
  type ConnectOptions,
  useConnectClient,
} from './connection/use-connect-client.ts';
export { Conversation, type ConversationProps } from './conversation/conversation.tsx';
export { ChatProvider, type ChatProviderProps } from './features/all.tsx';
export { ChannelAvatar, type ChannelAvatarProps } from './features/channels/channel-avatar.tsx';
export { ChannelListItem, type ChannelListItemProps } from './features/channels/channel-list-item.tsx';
export {
  type ChannelFace,
  type ChannelPreview,
  selectFace,
  selectPreview,
} from './features/channels/channel-view.ts';
export { ChatChannelList, type ChatChannelListProps } from './features/channels/chat-channel-list.tsx';
export {
  ConversationHeader,
  type ConversationHeaderProps,
} from './features/channels/conversation-header.tsx';
export { NewConversation } from './features/channels/new-conversation.tsx';
export type {
  NewConversationChoice,
  NewConversationDialogProps,
} from './features/channels/new-conversation-dialog.tsx';
export type { NewConversationProps } from './features/channels/new-conversation-flow.tsx';
export {
  ChannelList,
  type ChannelListProps,
  SidebarHeader,
  type SidebarHeaderProps,
} from './features/channels/sidebar-header.tsx';
export { type ChannelListView, useChannelList } from './features/channels/use-channel-list.ts';
export { ChatComposer, type ChatComposerProps } from './features/composer/chat-composer.tsx';
export { Composer, type ComposerHandle, type ComposerProps } from './features/composer/composer.tsx';
export type { Carried, ComposerExtra } from './features/composer/composer-extras.ts';
export { type ComposerIntent, composerIntent } from './features/composer/composer-keys.ts';
export { type ComposerActs, type ComposerControls, useComposer } from './features/composer/use-composer.ts';
export type { Draft } from './features/drafts/draft-box.ts';
export { useDraftCount } from './features/drafts/use-draft-count.ts';
export {
  MapProvider,
  type MapProviderProps,
  type MapSettings,
} from './features/locations/map-settings.tsx';
export { type ItemActsOptions, useItemActs } from './features/messages/dialogs/use-item-acts.tsx';
export { MessageAnnouncer } from './features/messages/feed/message-announcer.tsx';
export { MessageFeed, type MessageFeedProps } from './features/messages/feed/message-feed.tsx';
export { NewMessagesPill, type NewMessagesPillProps } from './features/messages/feed/new-messages-pill.tsx';
export { type Jumps, useJump } from './features/messages/feed/use-jump.ts';
export { type MessageTimeline, useMessages } from './features/messages/feed/use-messages.ts';
export { abilitiesOf } from './features/messages/menu/message-abilities.ts';
export { type MessageHandlers, messageActions } from './features/messages/menu/message-actions.tsx';
export { MessageSheet, type MessageSheetProps } from './features/messages/menu/message-sheet.tsx';
export { MessageToolbar, type MessageToolbarProps } from './features/messages/menu/message-toolbar.tsx';
export type {
  MessageDialogProps,
  MessageItemActs,
  MessageItemProps,
} from './features/messages/message-item-props.ts';
export {
  type ItemOptions,
  type MessageItemView,
  messageItems,
  type UnreadMark,
} from './features/messages/message-items.ts';
export { MessageBubble, type MessageBubbleProps } from './features/messages/row/message-bubble.tsx';
export {
  MessageDelivery,
  type MessageDeliveryProps,
  type MessageDeliveryState,
} from './features/messages/row/message-delivery.tsx';
export { MessageItem } from './features/messages/row/message-item.tsx';
export { MessageRow, type MessageRowProps } from './features/messages/row/message-row.tsx';
export {
  QuotedMessage,
  type QuotedMessageProps,
  type QuoteView,
} from './features/messages/row/quoted-message.tsx';
export {
  DateSeparator,
  type DateSeparatorProps,
  SystemMessage,
  type SystemMessageProps,
  UnreadSeparator,
  type UnreadSeparatorProps,
} from './features/messages/row/separators.tsx';
export { type MessageActs, useMessageActions } from './features/messages/use-message-actions.ts';
export { useIsOnline, useOnlineCount } from './features/presence/use-presence.ts';
export { EmojiPicker } from './features/reactions/emoji-picker.tsx';
export { quickEmojis } from './features/reactions/emojis.ts';
export { ReactionBar, type ReactionBarProps, type ReactionView } from './features/reactions/reaction-bar.tsx';
export { ReactionPicker, type ReactionPickerProps } from './features/reactions/reaction-picker.tsx';
export { ReadMarks, type ReadMarksProps, type ReadState } from './features/reads/read-marks.tsx';
export { useMarkRead, useUnreadMark } from './features/reads/use-reading.ts';
export { useLaterCounts } from './features/reminders/use-later.ts';
export { ThreadChip, type ThreadChipProps } from './features/threads/thread-chip.tsx';
export {
  TypingDots,
  TypingIndicator,
  type TypingIndicatorProps,
} from './features/typing/typing-indicator.tsx';
export { typingText } from './features/typing/typing-text.ts';
export { useTyping } from './features/typing/use-typing.ts';
export type { PersonView } from './features/users/people-picker.tsx';
export { type Catalogue, defineTexts, type Phrase } from './i18n/catalogue.ts';
export type { Format, Instant } from './i18n/format.ts';
export type { Text, TextOf } from './i18n/text.ts';
export { useFormat, useTexts } from './i18n/text-context.tsx';
export { MessageListView, type MessageListViewProps } from './list/message-list-view.tsx';
export type { MessageListHandle } from './list/use-anchored-list.ts';
export { isJumbo, linkify, type TextPart } from './markdown/linkify.ts';
export { MessageText, type MessageTextProps } from './markdown/message-text.tsx';
export { TextProvider, type TextProviderProps, type Translations } from './texts.ts';
export { Announcer, type AnnouncerProps } from './ui/announcer.tsx';
export { type AppPane, AppShell, type AppShellProps } from './ui/app-shell.tsx';
export {
  Avatar,
  type AvatarPerson,
  type AvatarProps,
  AvatarStack,
  type AvatarStackProps,
  GroupAvatar,
  type GroupAvatarProps,
} from './ui/avatar.tsx';
export { Boundary, type BoundaryProps } from './ui/boundary.tsx';
export { Button, type ButtonProps } from './ui/button.tsx';
export {
  ConnectionBanner,
  type ConnectionBannerProps,
  type ConnectionView,
} from './ui/connection-banner.tsx';
export { Dialog, type DialogProps } from './ui/dialog.tsx';
export { EmptyState, type EmptyStateProps } from './ui/empty-state.tsx';
export { IconButton, type IconButtonProps } from './ui/icon-button.tsx';
export {
  IconBack,
  IconBookmark,
  IconCheck,
  IconChecks,
  IconClock,
  IconClose,
  IconCopy,
  IconDown,
  IconEdit,
  IconEye,
  IconHash,
  IconInfo,
  IconMore,
  IconMuted,
  IconPlus,
  type IconProps,
  IconReply,
  IconSearch,
  IconSend,
  IconSmile,
  IconSmilePlus,
  IconThread,
  IconTrash,
  IconUser,
  IconWarning,
  icon,
} from './ui/icons.tsx';
export { KitRoot } from './ui/kit-root.tsx';
export { type LazyPart, type LazyPartOptions, lazyPart, type MissingProps } from './ui/lazy-part.tsx';
export { Menu, type MenuAction, type MenuProps } from './ui/menu.tsx';
export {
  type Notice,
  NoticeProvider,
  type NoticeProviderProps,
  type Notices,
  useNotices,
} from './ui/notices.tsx';
export { Popover, type PopoverProps } from './ui/popover.tsx';
export { ChannelListSkeleton, MessageListSkeleton, type SkeletonProps } from './ui/skeleton.tsx';
export { Spinner, type SpinnerProps } from './ui/spinner.tsx';
export { TextField, type TextFieldProps } from './ui/text-field.tsx';
export {
  Tooltip,
  TooltipGroup,
  type TooltipGroupProps,
  type TooltipProps,
  type TooltipSide,
} from './ui/tooltip.tsx';
