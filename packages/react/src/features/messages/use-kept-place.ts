import type { ParleyClient } from '@parley/client';
import { useCallback, useState } from 'react';
import { useClient } from '../../chat/chat-provider.tsx';
import type { Anchor } from './list-window.ts';

const places = new WeakMap<ParleyClient, Map<string, Anchor>>();

/** Where the reader left a channel, unless at its end. */
export function useKeptPlace(cid: string) {
  const client = useClient();
  const [initial] = useState(() => places.get(client)?.get(cid));
  const onLeave = useCallback(
    (place: Anchor | undefined) => {
      const kept = places.get(client) ?? new Map<string, Anchor>();
      places.set(client, kept);
      if (place !== undefined) return void kept.set(cid, place);
      kept.delete(cid);
      client.messages.release(cid);
    },
    [client, cid],
  );
  return { initial, onLeave };
}
