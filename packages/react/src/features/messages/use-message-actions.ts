import { hasReacted, type VisibleMessage } from '@parley/client';
import { useMemo } from 'react';
import { useClient } from '../../chat/chat-provider.tsx';
import { useRefusal } from '../../chat/use-refusal.ts';

export type MessageActs = {
  react: (message: VisibleMessage, emoji: string) => void;
  retry: (message: VisibleMessage) => void;
  discard: (message: VisibleMessage) => void;
  remove: (message: VisibleMessage) => void;
  copy: (message: VisibleMessage) => void;
  togglePin: (message: VisibleMessage) => void;
  markUnread: (message: VisibleMessage) => void;
};

/** What can be done with a message apart from writing; the same object from render to render. */
export function useMessageActions(): MessageActs {
  const client = useClient();
  const tell = useRefusal();
  return useMemo(
    () => ({
      react: (message, emoji) => {
        const act = hasReacted(message, emoji) ? client.reactions.remove : client.reactions.add;
        act(message, emoji).catch(tell);
      },
      retry: ({ cid, id }) => void client.messages.retry(cid, id).catch(tell),
      discard: ({ cid, id }) => client.messages.discard(cid, id),
      remove: (message) => void client.messages.remove(message).catch(tell),
      togglePin: (message) => {
        const { pin, unpin } = client.messages;
        (message.pinned ? unpin(message) : pin(message)).catch(tell);
      },
      markUnread: ({ cid, id }) => void client.reads.markUnread(cid, id).catch(tell),
      copy: ({ text }) => void navigator.clipboard.writeText(text).catch(() => {}),
    }),
    [client, tell],
  );
}
