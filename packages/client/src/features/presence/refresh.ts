import { limits } from '@parley/protocol/limits';
import type { Core } from '../../core.ts';
import { askQuietly } from '../../retry.ts';

/** Asks for these users, and subscribes to their presence. */
export const followUsers = (core: Core, ids: readonly string[], connectionId: string) =>
  askQuietly(core, 'Users', async () => {
    const onlineOf = (id: string) => core.users.readable(id).get()?.online;
    const before = ids.map(onlineOf);
    for (let from = 0; ids[from]; from += limits.pageMax) {
      const filter = { id: { $in: ids.slice(from, from + limits.pageMax) } };
      const body = { filter, limit: limits.pageMax, presence: true };
      const { users } = await core.http.call('POST /users/query', { connectionId, body });
      // An event that came meanwhile is newer than the answer.
      users.filter(({ id }) => onlineOf(id) === before[ids.indexOf(id)]).map(core.users.refresh);
    }
  });

/** A new connection follows nobody, and what users changed is in no log: asks for the members of the newest channels. */
export const refreshMembers = (core: Core) => (cids: readonly string[], connectionId: string) => {
  const ids = new Set(
    cids.flatMap((cid) => core.store.confirmed(cid)?.members.map(({ user_id }) => user_id) ?? []),
  );
  return followUsers(core, [...ids].slice(0, 3 * limits.pageMax), connectionId);
};
