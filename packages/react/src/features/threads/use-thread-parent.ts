import type { VisibleMessage } from '@parley/client';
import { useEffect, useState } from 'react';
import { useClient, useOwnId } from '../../chat/client-provider.tsx';
import { useChannel } from '../../chat/use-channel.ts';

/** The parent message of a thread; loaded where a link leads to one that is not loaded. */
export function useThreadParent(cid: string, parentId: string): VisibleMessage | undefined {
  const { messages } = useClient();
  const isConnected = useOwnId() !== undefined;
  const loaded = useChannel(cid, (state) => state?.messages.find(({ id }) => id === parentId), Object.is);
  const [asked, setAsked] = useState<VisibleMessage>();
  const isMissing = isConnected && loaded === undefined && asked?.id !== parentId;
  useEffect(() => {
    if (!isMissing) return;
    let isOver = false;
    messages.get(parentId).then(
      (message) => !isOver && setAsked({ ...message, status: 'sent' }),
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [messages, parentId, isMissing]);
  return loaded ?? (asked?.id === parentId ? asked : undefined);
}
