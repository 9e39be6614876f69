/** The entry `@parley/react/messages`: the pinned messages, for the header of a conversation. */
export { PinnedMessages, type PinnedMessagesProps } from './feed/pinned-messages.tsx';
