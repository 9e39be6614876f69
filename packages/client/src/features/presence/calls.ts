/** Asks for users and their presence, in a file that is loaded when presence is first followed. */
import type { Core } from '../../core.ts';
import type { LateTools } from '../../late-tools.ts';

export const createPresenceCalls = (core: Core, { pageMax }: LateTools) => {
  const follow = async (ids: readonly string[], connectionId: string): Promise<void> => {
    const onlineOf = (id: string) => core.users.readable(id).get()?.online;
    const before = ids.map(onlineOf);
    for (let from = 0; ids[from]; from += pageMax) {
      const filter = { id: { $in: ids.slice(from, from + pageMax) } };
      const body = { filter, limit: pageMax, presence: true };
      const { users } = await core.http.call('POST /users/query', { connectionId, body });
      // An event that came meanwhile is newer than the answer.
      users.filter(({ id }) => onlineOf(id) === before[ids.indexOf(id)]).map(core.users.refresh);
    }
  };
  return {
    follow,
    /** The members of the newest channels. */
    refreshMembers: (cids: readonly string[], connectionId: string): Promise<void> => {
      const ids = new Set(
        cids.flatMap((cid) => core.store.confirmed(cid)?.members.map(({ user_id }) => user_id) ?? []),
      );
      return follow([...ids].slice(0, 3 * pageMax), connectionId);
    },
  };
};
