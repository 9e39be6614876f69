import { isUserOnline } from '@parley/client';
import { useMemo } from 'react';
import { useClient } from '../../chat/client-provider.tsx';
import { constant, summed } from '../../chat/readables.ts';
import { useReadable } from '../../chat/use-readable.ts';

/** True while a user is online. */
export function useIsOnline(userId: string | undefined): boolean {
  const client = useClient();
  return useReadable(
    useMemo(
      () => (userId === undefined ? constant(false) : client.presence.isOnline(userId)),
      [client, userId],
    ),
  );
}

/** The number of these people who are online; `userIds` has to stay the same array between renders. */
export function useOnlineCount(userIds: readonly string[]): number {
  const client = useClient();
  return useReadable(
    useMemo(
      () => summed(userIds.map(client.users.get), (user) => (isUserOnline(user) ? 1 : 0)),
      [client, userIds],
    ),
  );
}
