import { unreadTotal } from '@parley/client/reads';
import { useClient, useMe, useReadable } from '@parley/react';
import { useEffect } from 'react';
import { setIconBadge } from './favicon.ts';

/** Shows the unread count of all channels and threads in the title of the page and as a dot on its icon. */
export function useTitle(): void {
  const total = useClient().feature(unreadTotal);
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
