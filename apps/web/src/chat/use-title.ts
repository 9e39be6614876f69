import { createUnreadTotal } from '@parley/client/unread';
import { useClient, useMe, useReadable } from '@parley/react';
import { useEffect, useMemo } from 'react';
import { setIconBadge } from './favicon.ts';

/** What is unread in all channels and threads, in the title of the page and as a dot on its icon. */
export function useTitle(): void {
  const client = useClient();
  const total = useMemo(() => createUnreadTotal(client), [client]);
  useEffect(() => total.start(), [total]);
  const unread = useReadable(total) + (useMe()?.unread_threads ?? 0);
  useEffect(() => {
    document.title = unread > 0 ? `(${unread > 999 ? '999+' : unread}) Parley` : 'Parley';
    setIconBadge(document, unread > 0);
    return () => {
      document.title = 'Parley';
      setIconBadge(document, false);
    };
  }, [unread]);
}
