import { type UnreadTotal, unreadTotal } from '@parley/client/reads';
import { useClient, useIsFirstScreenReady, useReadable } from '@parley/react';

const none: UnreadTotal['archived'] = { get: () => 0, subscribe: () => () => {} };
const nothing: Omit<UnreadTotal, 'threads'> = { ...none, archived: none };

/** The unread messages of all channels, and those in archived ones. They are counted after the first screen, which shows neither. */
export function useUnreadTotal(): { total: number; archived: number } {
  const client = useClient();
  const unread = useIsFirstScreenReady() ? client.feature(unreadTotal) : nothing;
  return { total: useReadable(unread), archived: useReadable(unread.archived) };
}
