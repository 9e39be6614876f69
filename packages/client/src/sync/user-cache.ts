import type { OwnUser, User } from '@parley/protocol';
import { createLru } from '../lru.ts';
import type { Batch, Readable } from '../readable.ts';

/** The newest known version of each user, shared by every record that names them. */
export type UserCache = {
  /** Takes a user from the wire and gives back the one object that stands for them. */
  intern(user: User): User;
  /** Takes a user from an event about them. Of two versions the newer one stays, as two servers may send them in any order. */
  put(user: User): User;
  /** Does the same as `intern`, and takes whether they are online, too. */
  refresh(user: User): void;
  readable(id: string): Readable<User | undefined>;
  clear(): void;
};

/** The user without what only concerns the own user. */
export const asUser = (me: OwnUser): User => {
  const {
    unread_count: _count,
    unread_channels: _channels,
    unread_threads: _threads,
    mutes: _mutes,
    channel_mutes: _channelMutes,
    blocked_user_ids: _blocked,
    devices: _devices,
    privacy_settings: _privacy,
    ...user
  } = me;
  return user;
};

const isNewer = (user: User, known: User): boolean => user.updated_at > known.updated_at;

/** Only some records say whether a user is online; what is known of it stays. All else is replaced: a field may be gone. */
const withPresence = (user: User, known: User | undefined): User =>
  known?.online === undefined ? user : { online: known.online, ...user };

/** `renewed` is called with each newer version that came as a part of something else: the records that name the user are outdated by then. */
export const createUserCache = (
  capacity: number,
  batch: Batch,
  renewed: (user: User) => void = () => {},
): UserCache => {
  const users = createLru<string, User>(capacity);
  const listeners = new Map<string, Set<() => void>>();
  const store = (user: User): User => {
    users.set(user.id, user);
    const own = listeners.get(user.id);
    if (own) batch.touch(own);
    return user;
  };
  const subscribe = (id: string) => (listener: () => void) => {
    const own = listeners.get(id) ?? new Set();
    listeners.set(id, own);
    own.add(listener);
    return () => {
      own.delete(listener);
      if (own.size === 0) listeners.delete(id);
    };
  };
  const intern = (user: User): User => {
    const known = users.get(user.id);
    if (known === undefined) return store(user);
    if (!isNewer(user, known)) {
      // Known from a record that does not say it, and this one does.
      const { online } = user;
      return known.online === undefined && online !== undefined ? store({ ...known, online }) : known;
    }
    const next = store(withPresence(user, known));
    renewed(next);
    return next;
  };
  return {
    intern,
    refresh: (user) => {
      const known = intern(user);
      const { online } = user;
      if (online !== undefined && online !== known.online) store({ ...known, online });
    },
    put: (user) => {
      const known = users.peek(user.id);
      const newest = known && isNewer(known, user) ? known : user;
      const { online = known?.online } = user;
      return store(online === undefined ? newest : { ...newest, online });
    },
    readable: (id) => ({ get: () => users.peek(id), subscribe: subscribe(id) }),
    clear: () => {
      users.clear();
      for (const all of listeners.values()) batch.touch(all);
    },
  };
};
