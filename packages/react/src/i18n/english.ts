/** Entry of a catalogue: a sentence with `{name}` holes, or its plural forms chosen by `{n}`. */
export type Phrase = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

const general = {
  back: 'Back',
  cancel: 'Cancel',
  close: 'Close',
  create: 'Create',
  delete: 'Delete',
  dismiss: 'Dismiss',
  loading: 'Loading',
  retry: 'Retry',
  save: 'Save',
  search: 'Search',
  today: 'Today',
  yesterday: 'Yesterday',
  you: 'You',
  online: 'Online',
  offline: 'Offline',
} as const;

const connection = {
  connecting: 'Connecting…',
  connectionOffline: 'You are offline. What you write is kept and sent later.',
  reconnecting: 'Reconnecting…',
  reconnectingIn: {
    one: 'Connection lost. Trying again in {n} second',
    other: 'Connection lost. Trying again in {n} seconds',
  },
  reconnectNow: 'Try now',
  backOnline: 'Back online',
} as const;

const channels = {
  conversations: 'Conversations',
  conversation: 'Conversation',
  noMessagesYet: 'No messages yet',
  previewOwn: 'You: {text}',
  previewAuthor: '{name}: {text}',
  draft: 'Draft',
  muted: 'Muted',
  pinnedChannels: 'Pinned',
  mentioned: 'You were mentioned',
  unreadCount: { one: '{n} unread message', other: '{n} unread messages' },
  memberCount: { one: '{n} member', other: '{n} members' },
  onlineCount: '{n} online',
  newConversation: 'New conversation',
  directMessage: 'Direct message',
  channel: 'Channel',
  channelName: 'Channel name',
  channelNameHint: 'e.g. Summer trip',
  startConversation: 'Start conversation',
  createChannel: 'Create channel',
  lastSeen: 'Last seen {time}',
  chooseConversation: 'Choose a conversation',
  chooseConversationHint: 'Or start a new one: somebody will be glad to hear from you.',
  noConversations: 'No conversations yet',
  noConversationsHint: 'Start one, and it will be here.',
  channelMissing: 'This conversation is not here',
  channelMissingHint: 'It was deleted, or it is not open to you.',
  couldNotLoad: 'This could not be loaded',
  emptyConversation: 'Nothing here yet',
  emptyConversationHint: 'Say hello: the first message is the hardest.',
} as const;

const messages = {
  messages: 'Messages',
  messageActions: 'Message actions',
  messageDeleted: 'This message was deleted',
  quotedDeleted: 'Deleted message',
  edited: 'edited',
  editedAt: 'Edited {time}',
  sending: 'Sending…',
  queued: 'Waiting for connection',
  notSent: 'Not sent',
  reply: 'Reply',
  moreActions: 'More actions',
  edit: 'Edit',
  copyText: 'Copy text',
  copyLink: 'Copy link',
  linkCopied: 'The link was copied',
  copyCode: 'Copy code',
  copied: 'Copied',
  pin: 'Pin',
  unpin: 'Unpin',
  pinnedBy: 'Pinned by {name}',
  pinnedMessages: 'Pinned messages',
  pinnedUntil: 'until {time}',
  noPins: 'Nothing is pinned here',
  noPinsHint: 'Pin a message from its menu, and everyone finds it here.',
  editHistory: 'Edit history',
  versionNow: 'Now',
  versionBy: 'Changed by {name}',
  showMore: 'Show more',
  newDivider: 'New',
  newMessages: { one: '{n} new message', other: '{n} new messages' },
  jumpToLatest: 'Jump to latest',
  jumpToQuoted: 'Go to the message by {name}',
  messagePlaceholder: 'Message {name}',
  writeMessage: 'Write a message',
  send: 'Send',
  replyingTo: 'Replying to {name}',
  editingMessage: 'Editing message',
  addEmoji: 'Add emoji',
  deleteTitle: 'Delete this message?',
  deleteHint: 'Its text goes for everyone. A note that there was a message stays.',
  refused: 'That did not work',
  writeAnonymous: 'You are only looking on. Sign in to take part.',
  writeFrozen: 'This conversation is frozen: nothing new can be written.',
  writeDisabled: 'This conversation is closed.',
  writeBanned: 'You have been banned from this conversation.',
  writeNotAllowed: 'You may read here, but not write.',
  slowMode: { one: 'Slow mode: {n} second to go', other: 'Slow mode: {n} seconds to go' },
  announceOne: '{name}: {text}',
  announceMany: { one: '{n} new message from {names}', other: '{n} new messages from {names}' },
} as const;

const composing = {
  tooLong: { one: '{n} character too long', other: '{n} characters too long' },
  mentionList: 'People to mention',
  mentionHere: 'Everyone who is here now',
  mentionChannel: 'Everyone in this conversation',
  mentionRole: 'Everyone with the role {name}',
  commandList: 'Commands',
  commandUnknown: 'There is no command /{name}. Put a space before it to send it as text.',
  commandNotAllowed: 'You may not use /{name} here.',
  commandNeedsText: 'Write something after /{name}.',
  commandNeedsPerson: 'Choose from the list whom to /{name}.',
  tooManyMentions: 'A message can mention at most {name} people.',
  searchEmojis: 'Search emojis',
  noEmojis: 'No emoji by that name',
  emojiRecent: 'Used last',
  emojiPeople: 'Smileys and people',
  emojiNature: 'Animals and nature',
  emojiFood: 'Food and drink',
  emojiActivity: 'Activities',
  emojiTravel: 'Travel and places',
  emojiObjects: 'Objects',
  emojiSymbols: 'Symbols',
} as const;

const threads = {
  thread: 'Thread',
  replyInThread: 'Reply in thread',
  replyCount: { one: '{n} reply', other: '{n} replies' },
  noReplies: 'No replies yet',
  threads: 'Threads',
  threadsEmpty: 'No threads yet',
  threadsEmptyHint: 'Threads that you begin or answer in are here.',
  alsoToChannel: 'Also send to {name}',
  loadMore: 'Show more',
} as const;

const reactions = {
  addReaction: 'Add reaction',
  reactWith: 'React with {emoji}',
  moreEmojis: 'More emojis',
  emojis: 'Emojis',
  reactionCount: { one: '{emoji}, {n} reaction', other: '{emoji}, {n} reactions' },
  reactedBy: '{names} reacted with {emoji}',
} as const;

const typing = {
  typingOne: '{name} is typing',
  typingTwo: '{first} and {second} are typing',
  typingMany: { one: '{n} person is typing', other: '{n} people are typing' },
  typingShort: 'typing',
} as const;

const reads = {
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  seenBy: 'Seen by {names}',
  seenCount: '{n} of {all}',
  markUnread: 'Mark as unread',
  messageInfo: 'Message info',
  andOthers: { one: '{n} other', other: '{n} others' },
} as const;

const users = {
  people: 'People',
  searchPeople: 'Search people',
  noPeopleFound: 'Nobody by that name',
  selectedCount: { one: '{n} selected', other: '{n} selected' },
  removePerson: 'Remove {name}',
  signInTitle: 'Who are you today?',
  signInHint: 'Choose somebody to try Parley with, or come in under your own name.',
  yourName: 'Your name',
  signIn: 'Continue',
  or: 'or',
  guest: 'Join as a guest',
  anonymous: 'Look around anonymously',
} as const;

const drafts = {
  drafts: 'Drafts',
  draftsEmpty: 'No drafts',
  draftsEmptyHint: 'What you write and do not send is kept here, on all your devices.',
  draftMerged: 'Put together with what you wrote on another device',
  draftDelete: 'Delete draft',
} as const;

export const english = {
  ...general,
  ...connection,
  ...channels,
  ...messages,
  ...composing,
  ...threads,
  ...drafts,
  ...reactions,
  ...typing,
  ...reads,
  ...users,
} satisfies Record<string, Phrase>;

export type TextKey = keyof typeof english;

/** Every phrase of the kit. A translation gives all of them; an override gives some. */
export type Catalogue = Readonly<Record<TextKey, Phrase>>;
