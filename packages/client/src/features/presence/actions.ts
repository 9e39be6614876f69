import { checkObject } from '../../cid.ts';
import type { Core } from '../../core.ts';
import { derived, type Readable } from '../../readable.ts';
import { followUsers } from './refresh.ts';
import { isUserOnline } from './selectors.ts';

export const createPresence = (core: Core) => ({
  /** Whether a user is online, as it is now and whenever it changes. */
  isOnline: (userId: string): Readable<boolean> => derived(core.users.readable(userId), isUserOnline),
  /** Follows people who are in no channel's state, such as further members of a large one; it ends with the connection. */
  follow: async (userIds: readonly string[]): Promise<void> => {
    checkObject('userIds', userIds);
    const id = await core.connectionId();
    if (id) await followUsers(core)(userIds, id);
  },
});
