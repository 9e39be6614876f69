import type { User } from '@parley/protocol';
import type { Core } from '../../core.ts';
import type { Readable, Unsubscribe } from '../../readable.ts';

export const createUsers = (core: Core) => ({
  /** A user from the cache, as it is now and whenever it changes. */
  get: (id: string): Readable<User | undefined> => core.users.readable(id),
});

/** Keeps the own user current; returns its stop. */
export const followOwnUser = (core: Core): Unsubscribe =>
  core.events.on('user.updated', ({ user }) => {
    const me = core.me.get();
    if (me?.id === user.id) core.me.set({ ...me, ...user });
  });
