import type { Message, MessageInput, MessageVersion } from '@parley/protocol';
import { fromCid } from '../../cid.ts';
import type { ParleyClient } from '../../client.ts';
import { withSameId } from '../../same-id.ts';

export type { MessageVersion } from '@parley/protocol';

export type VersionPage = { versions: MessageVersion[]; next?: string | undefined };

/** What a message said before its edits, newest first; for its author, and for who may read it. */
export const queryHistory = async (
  { http }: ParleyClient,
  messageId: string,
  options: { limit?: number; next?: string } = {},
): Promise<VersionPage> => {
  const body = { filter: { message_id: messageId }, ...options };
  const { message_history, next } = await http.call('POST /messages/history', { body });
  return { versions: message_history as MessageVersion[], next };
};

/** Messages that only their author sees until they are committed. */
export const createPendingMessages = ({ http }: ParleyClient) => ({
  send: async (cid: string, message: MessageInput): Promise<Message> => {
    const who = { owner: http, uuid: http.wire.environment.uuid };
    const path = fromCid(cid);
    return withSameId(who, [cid], message, async (sent) => {
      const body = { message: sent, pending: true };
      const reply = await http.call('POST /channels/{type}/{id}/message', { path, body });
      return reply.message as Message;
    });
  },
  /** Publishes it: from then on it is a message like any other. */
  commit: async (id: string): Promise<Message> => {
    const reply = await http.call('POST /messages/{id}/commit', { path: { id }, body: {} });
    return reply.message as Message;
  },
  /** Drops it: it was never said. */
  discard: async (id: string): Promise<void> => {
    await http.call('DELETE /messages/{id}', { path: { id } });
  },
  /** What the own user has waiting in a channel, oldest first. */
  list: async (cid: string): Promise<Message[]> => {
    const reply = await http.call('POST /channels/{type}/{id}/query', {
      path: fromCid(cid),
      body: { state: true, watch: false, members: { limit: 0 }, messages: { limit: 1 } },
    });
    return (reply.pending_messages ?? []) as Message[];
  },
});
