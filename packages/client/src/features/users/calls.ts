/** Rare calls about users, loaded when one is first made. */
import type { BodyOf, User } from '@parley/protocol';
import type { Core } from '../../core.ts';

export type UserQuery = BodyOf<'POST /users/query'>;
export type UserPage = { users: User[]; next?: string };

export const createUserCalls = (core: Core) => ({
  /** Finds users by a filter, page by page. */
  query: async (query: UserQuery = {}): Promise<UserPage> => {
    const reply = await core.http.call('POST /users/query', { body: query });
    return { ...reply, users: reply.users.map(core.users.intern) };
  },
  /** Changes the own user. */
  update: async (set: Record<string, unknown>, unset: string[] = []): Promise<User> => {
    const id = core.ownId();
    const { users } = await core.http.call('PATCH /users', { body: { users: [{ id, set, unset }] } });
    const stored = users[id];
    if (!stored) throw new Error('The reply lacks the own user');
    const user = core.users.put(stored);
    const me = core.me.get();
    if (me) core.me.set({ ...me, ...user });
    return user;
  },
});
