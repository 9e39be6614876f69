import type { ReplyOf } from '@parley/protocol';
import { fromCid } from '../../cid.ts';
import type { Feature } from '../../client.ts';

export type MessageReceipts = ReplyOf<'GET /messages/{id}/receipts'>;
export type FullUnreadExplanation = ReplyOf<'GET /channels/{type}/{id}/unread/explain'>;

export type Receipts = {
  /** The people who have read a message and those it has reached, each with the time; in a channel of any size. */
  of(messageId: string): Promise<MessageReceipts>;
  /** The messages that make a channel unread, and why, whether they are loaded or not. */
  explainUnread(cid: string): Promise<FullUnreadExplanation>;
};

/** Reads receipts of messages from the server. */
export const receipts: Feature<Receipts> = {
  name: 'receipts',
  create: ({ http }) => ({
    of: (messageId) => http.call('GET /messages/{id}/receipts', { path: { id: messageId } }),
    explainUnread: (cid) => http.call('GET /channels/{type}/{id}/unread/explain', { path: fromCid(cid) }),
  }),
};
