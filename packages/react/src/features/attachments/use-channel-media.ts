import {
  type ChannelMediaHandle,
  type ChannelMediaState,
  channelMedia,
  type MediaKind,
} from '@parley/client/attachments';
import { useEffect, useState } from 'react';
import { useFeature, useOwnId } from '../../chat/client-provider.tsx';
import { useReadable } from '../../chat/use-readable.ts';

const nothing: ChannelMediaState = { items: [], status: 'loading', hasMore: false };
const noHandle = { get: () => nothing, subscribe: () => () => {} };

/** The media, files or links of a channel for as long as they are shown. */
export function useChannelMedia(cid: string, kind: MediaKind) {
  const { create } = useFeature(channelMedia);
  const isConnected = useOwnId() !== undefined;
  const [handle, setHandle] = useState<ChannelMediaHandle>();
  useEffect(() => {
    if (!isConnected) return;
    const made = create(cid, kind);
    setHandle(made);
    void made.load();
    return () => made.stop();
  }, [create, cid, kind, isConnected]);
  return { ...useReadable(handle ?? noHandle), load: () => void handle?.load() };
}
