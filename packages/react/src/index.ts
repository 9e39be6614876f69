import './theme/layers.css';

export { ChannelHeader, type ChannelHeaderProps } from './features/channels/channel-header.tsx';
export { ChannelListItem, type ChannelListItemProps } from './features/channels/channel-list-item.tsx';
export {
  type NewConversation,
  NewConversationDialog,
  type NewConversationDialogProps,
} from './features/channels/new-conversation-dialog.tsx';
export {
  ChannelList,
  type ChannelListProps,
  SidebarHeader,
  type SidebarHeaderProps,
} from './features/channels/sidebar-header.tsx';
export { Composer, type ComposerHandle, type ComposerProps } from './features/messages/composer.tsx';
export { type ComposerIntent, composerIntent } from './features/messages/composer-keys.ts';
export { isJumbo, linkify, type TextPart } from './features/messages/linkify.ts';
export { type MessageHandlers, messageActions } from './features/messages/message-actions.tsx';
export { MessageBubble, type MessageBubbleProps } from './features/messages/message-bubble.tsx';
export {
  MessageDelivery,
  type MessageDeliveryProps,
  type MessageDeliveryState,
} from './features/messages/message-delivery.tsx';
export { MessageListView, type MessageListViewProps } from './features/messages/message-list-view.tsx';
export { MessageRow, type MessageRowProps } from './features/messages/message-row.tsx';
export { MessageSheet, type MessageSheetProps } from './features/messages/message-sheet.tsx';
export { MessageText, type MessageTextProps } from './features/messages/message-text.tsx';
export { MessageToolbar, type MessageToolbarProps } from './features/messages/message-toolbar.tsx';
export { NewMessagesPill, type NewMessagesPillProps } from './features/messages/new-messages-pill.tsx';
export {
  QuotedMessage,
  type QuotedMessageProps,
  type QuoteView,
} from './features/messages/quoted-message.tsx';
export {
  DateSeparator,
  type DateSeparatorProps,
  SystemMessage,
  type SystemMessageProps,
  UnreadSeparator,
  type UnreadSeparatorProps,
} from './features/messages/separators.tsx';
export type { MessageListHandle } from './features/messages/use-anchored-list.ts';
export { EmojiGrid, type EmojiGridProps } from './features/reactions/emoji-grid.tsx';
export { commonEmojis, quickEmojis } from './features/reactions/emojis.ts';
export { ReactionBar, type ReactionBarProps, type ReactionView } from './features/reactions/reaction-bar.tsx';
export { ReactionPicker, type ReactionPickerProps } from './features/reactions/reaction-picker.tsx';
export { ReadMarks, type ReadMarksProps, type ReadState } from './features/reads/read-marks.tsx';
export {
  TypingDots,
  TypingIndicator,
  type TypingIndicatorProps,
} from './features/typing/typing-indicator.tsx';
export { typingText } from './features/typing/typing-text.ts';
export { PeoplePicker, type PeoplePickerProps, type PersonView } from './features/users/people-picker.tsx';
export { SignInCard, type SignInCardProps, type SignInChoice } from './features/users/sign-in-card.tsx';
export { type Catalogue, english, type Phrase, type TextKey } from './i18n/english.ts';
export type { Format, Instant } from './i18n/format.ts';
export type { TextValues, Translate } from './i18n/text.ts';
export { TextProvider, type TextProviderProps, useFormat, useText } from './i18n/text-context.tsx';
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
  IconTrash,
  IconUser,
  IconWarning,
} from './ui/icons.tsx';
export { Menu, type MenuAction, type MenuProps } from './ui/menu.tsx';
export {
  type Notice,
  NoticeProvider,
  type NoticeProviderProps,
  type Notices,
  useNotices,
} from './ui/notices.tsx';
export { Popover, type PopoverProps } from './ui/popover.tsx';
export { type Segment, Segmented, type SegmentedProps } from './ui/segmented.tsx';
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
