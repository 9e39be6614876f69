/** The entry `@parley/client/receipts`: who has seen what, and what makes a channel unread. */
import type { ReplyOf } from '@parley/protocol';
import { fromCid } from '../../cid.ts';
import type { ParleyClient } from '../../client.ts';

export {
  explainUnread,
  isDeliveredTo,
  selectFirstUnread,
  type UnreadExplanation,
  type UnreadReason,
} from './explain.ts';
export { countMarks, deliveredTo, seenBy } from './selectors.ts';

export type MessageReceipts = ReplyOf<'GET /messages/{id}/receipts'>;
export type FullUnreadExplanation = ReplyOf<'GET /channels/{type}/{id}/unread/explain'>;

/** Reads receipts of messages from the server. */
export const createReceipts = ({ http }: Pick<ParleyClient, 'http'>) => ({
  /** Who has read a message and whom it has reached, with when; in a channel of any size. */
  of: (messageId: string): Promise<MessageReceipts> =>
    http.call('GET /messages/{id}/receipts', { path: { id: messageId } }),
  /** Which messages make a channel unread, and why, whether they are loaded or not. */
  explainUnread: (cid: string): Promise<FullUnreadExplanation> =>
    http.call('GET /channels/{type}/{id}/unread/explain', { path: fromCid(cid) }),
});
export type Receipts = ReturnType<typeof createReceipts>;
