import { useCallback, useState } from 'react';
import { useChat } from '../chat/chat-provider.tsx';
import type { Anchor } from '../list/list-window.ts';

/** The place at which the reader left a channel, unless at its end. */
export function useKeptPlace(cid: string) {
  const { client, places } = useChat();
  const [initial] = useState(() => places.get(cid));
  const onLeave = useCallback(
    (place: Anchor | undefined) => {
      if (place !== undefined) return void places.set(cid, place);
      places.delete(cid);
      client.messages.trim(cid);
    },
    [client, places, cid],
  );
  return { initial, onLeave };
}
