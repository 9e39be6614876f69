import { useChannelTitle, useMe, useTexts } from '@parley/react';
import { useEffect } from 'react';
import { appTexts } from '../app/texts.ts';
import { setIconBadge } from './favicon.ts';
import type { PlaceName } from './places.tsx';
import { useUnreadTotal } from './use-unread-total.ts';

/** Names what is open in the title of the page, with the unread count of all channels and threads, also as a dot on its icon. */
export function useTitle(cid: string | undefined, screen: PlaceName | undefined): void {
  const text = useTexts(appTexts);
  const { total } = useUnreadTotal();
  const unread = total + (useMe()?.unread_threads ?? 0);
  const channel = useChannelTitle(cid ?? '');
  const name = screen ? text(screen === 'delete' ? 'deleteConversations' : screen) : channel;
  useEffect(() => {
    const count = unread > 0 ? `(${unread > 999 ? '999+' : unread}) ` : '';
    document.title = `${count}${name === '' ? '' : `${name} · `}Parley`;
    setIconBadge(document, unread > 0);
    return () => {
      document.title = 'Parley';
      setIconBadge(document, false);
    };
  }, [unread, name]);
}
