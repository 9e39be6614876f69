import type { ReadState, ReplyOf } from '@parley/protocol';
import type { Core } from '../../core.ts';

export const createReadCalls = (core: Core) => ({
  /** Marks the named channels read, or all. */
  markAllRead: async (cids?: string[]): Promise<void> => {
    const { marks } = await core.http.call('POST /channels/read', { body: cids ? { cids } : {} });
    for (const { cid, read } of marks) core.confirm({ type: 'notification.mark_read', cid, read });
  },
  markUnread: async (cid: string, messageId: string): Promise<ReadState> => {
    core.ownId();
    const body = { message_id: messageId };
    const { read } = await core.http.call('POST /channels/{type}/{id}/unread', { cid, body });
    core.confirm({ type: 'notification.mark_unread', cid, read });
    return read;
  },
  /** Counts unread messages by channel and thread. */
  unread: async (): Promise<ReplyOf<'GET /unread'>> => {
    return core.http.call('GET /unread', {});
  },
});
