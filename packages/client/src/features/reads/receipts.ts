import type { ReplyOf } from '@parley/protocol';
import { fromCid } from '../../cid.ts';
import type { ParleyClient } from '../../client.ts';

export type MessageReceipts = ReplyOf<'GET /messages/{id}/receipts'>;
export type FullUnreadExplanation = ReplyOf<'GET /channels/{type}/{id}/unread/explain'>;

type Calls = Pick<ParleyClient, 'http'>;

/** Who has read a message and whom it has reached, with when; in a channel of any size. */
export const messageReceipts = ({ http }: Calls, messageId: string): Promise<MessageReceipts> =>
  http.call('GET /messages/{id}/receipts', { path: { id: messageId } });

/** Which messages make a channel unread, and why, whether they are loaded or not. */
export const explainUnreadFully = ({ http }: Calls, cid: string): Promise<FullUnreadExplanation> =>
  http.call('GET /channels/{type}/{id}/unread/explain', { path: fromCid(cid) });
