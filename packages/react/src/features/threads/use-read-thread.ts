import { fromCid, type VisibleMessage } from '@parley/client';
import { useEffect } from 'react';
import { attention } from '../../chat/attention.ts';
import { useClient, useOwnId } from '../../chat/client-provider.tsx';
import { useReadable } from '../../chat/use-readable.ts';

/** Marks a thread read while the page has the attention of the user, once for each reply of another. */
export function useReadThread(cid: string, parentId: string, replies: readonly VisibleMessage[]): void {
  const { http } = useClient();
  const ownId = useOwnId();
  const isLookedAt = useReadable(attention);
  const last = replies.findLast(({ user }) => user?.id !== ownId)?.id;
  useEffect(() => {
    if (!isLookedAt || ownId === undefined || last === undefined) return;
    const body = { thread_id: parentId };
    http.call('POST /channels/{type}/{id}/read', { path: fromCid(cid), body }).catch(() => {});
  }, [http, cid, parentId, ownId, isLookedAt, last]);
}
