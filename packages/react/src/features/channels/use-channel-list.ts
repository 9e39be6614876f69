import type { ChannelListHandle, ChannelListState, ChannelQuery } from '@parley/client';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useClient, useFeature, useOwnId } from '../../chat/client-provider.tsx';
import { constant } from '../../chat/readables.ts';
import { useReadable } from '../../chat/use-readable.ts';
import { addBegun, begunChannels } from './begun-channels.ts';

const notYet = constant<ChannelListState>({
  cids: [],
  status: 'loading',
  hasMore: false,
  isLoadingMore: false,
});

export type ChannelListView = ChannelListState & {
  /** Loads the next page, unless one is being loaded or there is none. */
  loadMore: () => void;
  /** Loads the list again from the start. */
  refresh: () => void;
};

/** A live list of channels; `query` has to stay the same object between renders. `withBegun` adds the channels that were created here. */
export function useChannelList(query: ChannelQuery, withBegun = true): ChannelListView {
  const client = useClient();
  const begun = useFeature(begunChannels);
  const ownId = useOwnId();
  const [list, setList] = useState<ChannelListHandle>();
  // Before the first paint, which would be one of placeholders where the list is known already.
  useLayoutEffect(() => {
    if (ownId === undefined) return;
    const opened = client.channels.list(query);
    setList(opened);
    return () => {
      opened.stop();
      setList(undefined);
    };
  }, [client, ownId, query]);
  const state = useReadable(list ?? notYet);
  const early = useReadable(begun);
  // Once the server lists it, the server also removes it.
  useEffect(() => {
    const open = begun.get().filter((cid) => !state.cids.includes(cid));
    if (open.length < begun.get().length) begun.set(open);
  }, [begun, state.cids]);
  const cids =
    withBegun && early[0]
      ? addBegun(state.cids, early, query, (cid) => client.channels.state(cid).get())
      : state.cids;
  return { ...state, cids, loadMore: () => void list?.loadMore(), refresh: () => void list?.refresh() };
}
