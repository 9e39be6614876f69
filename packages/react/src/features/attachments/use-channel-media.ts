import {
  type ChannelMediaHandle,
  type ChannelMediaState,
  createChannelMedia,
  type MediaKind,
} from '@parley/client/media';
import { useEffect, useState } from 'react';
import { useClient, useMe } from '../../chat/chat-provider.tsx';
import { useReadable } from '../../chat/use-readable.ts';

const nothing: ChannelMediaState = { items: [], status: 'loading', hasMore: false };
const noHandle = { get: () => nothing, subscribe: () => () => {} };

/** The media, files or links of a channel for as long as they are shown. */
export function useChannelMedia(cid: string, kind: MediaKind) {
  const client = useClient();
  const isConnected = useMe() !== undefined;
  const [handle, setHandle] = useState<ChannelMediaHandle>();
  useEffect(() => {
    if (!isConnected) return;
    const made = createChannelMedia(client, cid, kind);
    setHandle(made);
    void made.load();
    return () => made.stop();
  }, [client, cid, kind, isConnected]);
  return { ...useReadable(handle ?? noHandle), load: () => void handle?.load() };
}
