/** The entry `@parley/client/messages`: messages that wait for a commit, notes of this device, and earlier versions. */
import type { Message, MessageInput, MessageVersion } from '@parley/protocol';
import { fromCid } from '../../cid.ts';
import type { Feature } from '../../client.ts';
import { withSameId } from '../../same-id.ts';

export type { MessageVersion } from '@parley/protocol';
export { followMessages, type HeldChange } from '../../sync/held-messages.ts';
export { type KeptMessages, keptMessages } from './kept-messages.ts';
export { type Notes, notes } from './notes.ts';

export type VersionPage = { versions: MessageVersion[]; next?: string | undefined };

export type MessageHistory = {
  /** The texts of a message before its edits, newest first; for its author, and for those who may read them. */
  query(messageId: string, options?: { limit?: number; next?: string }): Promise<VersionPage>;
};

export const messageHistory: Feature<MessageHistory> = {
  name: 'message-history',
  create: ({ http }) => ({
    query: async (messageId, options = {}) => {
      const body = { filter: { message_id: messageId }, ...options };
      const { message_history, next } = await http.call('POST /messages/history', { body });
      return { versions: message_history, next };
    },
  }),
};

export type PendingMessages = {
  /** Sends a message that only its author sees until it is committed. */
  send(cid: string, message: MessageInput): Promise<Message>;
  /** Publishes it: from then on it is a message like any other. */
  commit(id: string): Promise<Message>;
  /** Deletes it before anyone else has seen it. */
  discard(id: string): Promise<void>;
  /** The pending messages of the own user in a channel, oldest first. */
  list(cid: string): Promise<Message[]>;
};

/** Messages that only their author sees until they are committed. */
export const pendingMessages: Feature<PendingMessages> = {
  name: 'pending-messages',
  create: (core) => ({
    send: async (cid, message) => {
      const path = fromCid(cid);
      return withSameId(core, [cid], message, async (sent) => {
        const body = { message: sent, pending: true };
        const reply = await core.http.call('POST /channels/{type}/{id}/message', { path, body });
        return reply.message;
      });
    },
    commit: async (id) => {
      const reply = await core.http.call('POST /messages/{id}/commit', { path: { id }, body: {} });
      return reply.message;
    },
    discard: async (id) => {
      await core.http.call('DELETE /messages/{id}', { path: { id } });
    },
    list: async (cid) => {
      const reply = await core.http.call('POST /channels/{type}/{id}/query', {
        path: fromCid(cid),
        body: { state: true, watch: false, members: { limit: 0 }, messages: { limit: 1 } },
      });
      return reply.pending_messages ?? [];
    },
  }),
};
