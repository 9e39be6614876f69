import { limits } from '@parley/protocol/limits';
import type { Core } from '../../core.ts';
import { askQuietly } from '../../retry.ts';

const usersAtMost = 3 * limits.pageMax;

const membersOf = ({ store }: Core, cids: readonly string[]): string[] => {
  const ids = new Set<string>();
  for (const cid of cids) for (const member of store.confirmed(cid)?.members ?? []) ids.add(member.user_id);
  return [...ids].slice(0, usersAtMost);
};

/** Asks for these users, and subscribes to their presence. */
export const followUsers = (core: Core, ids: readonly string[], connectionId: string) =>
  askQuietly(core, 'Who is online', async () => {
    for (let from = 0; from < ids.length; from += limits.pageMax) {
      const filter = { id: { $in: ids.slice(from, from + limits.pageMax) } };
      const body = { filter, limit: limits.pageMax, presence: true };
      const { users } = await core.http.call('POST /users/query', { connectionId, body });
      for (const user of users) core.users.refresh(user);
    }
  });

/** A new connection follows nobody, and what users changed is in no log: asks for the members of the newest channels. */
export const refreshMembers = (core: Core, cids: readonly string[], connectionId: string) =>
  followUsers(core, membersOf(core, cids), connectionId);
