import { keptScreen, type Screen } from '@parley/client/channels';
import { useClient, useIsFirstScreenReady } from '@parley/react';
import { useEffect, useEffectEvent } from 'react';
import { queryOf } from './list-query.ts';
import { listedCids } from './neighbours.ts';
import type { Place } from './use-place.ts';

export type KeepScreen = (screen: Screen) => void;

/** The list and the conversation are at rest by then. */
const restMs = 2000;

/** Keeps the list and the open conversation for the next visit: soon after they stand, and whenever the page is left. */
export function useKeepScreen(place: Place, isVisitor: boolean, keep: KeepScreen): void {
  const client = useClient();
  const isReady = useIsFirstScreenReady();
  const save = useEffectEvent(() => {
    const ownId = client.me.get()?.id;
    // Another list than that of the chats, or the search, is in its place.
    if (ownId === undefined || place.shelf !== undefined || place.words !== undefined) return;
    const query = queryOf(ownId, isVisitor, 'chats');
    const cids = listedCids(document).slice(0, query.limit);
    const screen = client.feature(keptScreen).take(query, cids, { open: place.cid });
    if (screen) keep(screen);
  });
  useEffect(() => {
    if (!isReady || isVisitor) return;
    const timer = setTimeout(save, restMs);
    const hidden = () => document.visibilityState === 'hidden' && save();
    document.addEventListener('visibilitychange', hidden);
    addEventListener('pagehide', save);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', hidden);
      removeEventListener('pagehide', save);
    };
  }, [isReady, isVisitor]);
}
