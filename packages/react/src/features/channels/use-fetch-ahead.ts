import { useEffect } from 'react';
import { useClient } from '../../chat/client-provider.tsx';
import { firstPage, isPreviewed } from '../../chat/use-channel.ts';
import { useIsFirstScreenReady } from '../../chat/use-first-screen.ts';
import { whenIdle } from '../../ui/when-idle.ts';

/** Fetches the first page of each listed channel while the browser is idle, one at a time: opening a channel then takes no time. */
export function useFetchAhead(cids: readonly string[]): void {
  const { channels, messages } = useClient();
  const isReady = useIsFirstScreenReady();
  useEffect(() => {
    if (!isReady) return;
    let isOver = false;
    const fetchAll = async () => {
      for (const cid of cids) {
        const state = channels.state(cid).get();
        if (!state || state.isStale || !isPreviewed(state)) continue;
        await new Promise<void>((resolve) => whenIdle(resolve));
        if (isOver) return;
        await messages.loadOlder(cid, firstPage).catch(() => {});
        if (isOver) return;
      }
    };
    void fetchAll();
    return () => {
      isOver = true;
    };
  }, [channels, messages, cids, isReady]);
}
