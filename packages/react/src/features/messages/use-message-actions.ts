import { hasReacted, type ParleyClient, ParleyError, type VisibleMessage } from '@parley/client';
import { useMemo } from 'react';
import { useClient } from '../../chat/client-provider.tsx';
import { useRefusal } from '../../chat/use-refusal.ts';

export type MessageActs = {
  /** Adds a reaction, or deletes the own one. */
  react: (message: VisibleMessage, emoji: string) => void;
  /** Sends a failed message again, or commits a pending one. */
  retry: (message: VisibleMessage) => void;
  /** Removes a message that was not sent, or discards a pending one. */
  discard: (message: VisibleMessage) => void;
  /** Deletes the message; `hard` leaves no trace of it. */
  delete: (message: VisibleMessage, hard: boolean) => void;
  /** Restores a deleted message. */
  restore: (message: VisibleMessage) => void;
  /** Pins the message for good, or unpins it. */
  togglePin: (message: VisibleMessage) => void;
  /** Pins the message until a time. */
  pin: (message: VisibleMessage, expires: string) => void;
  /** Marks the message and all later ones as unread. */
  markUnread: (message: VisibleMessage) => void;
};

/** Commits or discards a pending message. One that is gone already is only removed from the list. */
const pendingOf = async (client: ParleyClient, act: 'commit' | 'discard', message: VisibleMessage) => {
  const { pendingMessages } = await import('@parley/client/messages');
  try {
    await client.feature(pendingMessages)[act](message.id);
  } catch (error) {
    if (!(error instanceof ParleyError) || error.name !== 'NotFound') throw error;
    client.messages.dismiss(message);
  }
};

/** The actions on a message apart from writing; the same object from render to render. */
export function useMessageActions(): MessageActs {
  const client = useClient();
  const showRefusal = useRefusal();
  return useMemo(
    () => ({
      react: (message, emoji) => {
        const act = hasReacted(message, emoji) ? client.reactions.delete : client.reactions.add;
        act(message, emoji).catch(showRefusal);
      },
      retry: (message) => {
        const { cid, id } = message;
        const again = message.pending ? pendingOf(client, 'commit', message) : client.messages.retry(cid, id);
        again.catch(showRefusal);
      },
      discard: (message) => {
        if (message.pending) pendingOf(client, 'discard', message).catch(showRefusal);
        else client.messages.discard(message.cid, message.id);
      },
      delete: (message, hard) => void client.messages.delete(message, { hard }).catch(showRefusal),
      restore: (message) => void client.messages.undelete(message).catch(showRefusal),
      pin: (message, expires) => void client.messages.pin(message, expires).catch(showRefusal),
      togglePin: (message) => {
        const { pin, unpin } = client.messages;
        (message.pinned ? unpin(message) : pin(message)).catch(showRefusal);
      },
      markUnread: ({ cid, id }) => void client.reads.markUnread(cid, id).catch(showRefusal),
    }),
    [client, showRefusal],
  );
}
