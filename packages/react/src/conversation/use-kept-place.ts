import type { Feature } from '@parley/client';
import { useCallback, useState } from 'react';
import { useClient, useFeature } from '../chat/client-provider.tsx';
import type { Anchor } from '../list/list-window.ts';

/** The places at which the reader left channels, by cid. */
export const keptPlaces: Feature<Map<string, Anchor>> = {
  name: 'kept-places',
  create: ({ resets }) => {
    const places = new Map<string, Anchor>();
    resets.push(() => places.clear());
    return places;
  },
};

/** The place at which the reader left a channel, unless at its end. */
export function useKeptPlace(cid: string) {
  const client = useClient();
  const places = useFeature(keptPlaces);
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
