/** The entry `@parley/client/reads`: receipts of messages, the reasons why a channel is unread, and the total of all channels. */
export {
  explainUnread,
  isDeliveredTo,
  selectFirstUnread,
  type UnreadExplanation,
  type UnreadReason,
} from './explain.ts';
export { type FullUnreadExplanation, type MessageReceipts, type Receipts, receipts } from './receipts.ts';
export { countMarks, deliveredTo, seenBy } from './selectors.ts';
export { type UnreadTotal, unreadTotal } from './total.ts';
