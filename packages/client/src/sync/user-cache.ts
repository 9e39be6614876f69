import type { OwnUser, User } from '@parley/protocol';
import { createLru } from '../lru.ts';
import type { Batch, Readable } from '../readable.ts';

/** The newest known version of each user, shared by every record that names them. */
export type UserCache = {
  /** Takes a user from the wire and gives back the one object that stands for them. */
  intern(user: User): User;
  /** As `intern`, but the given version wins whatever its age. */
  put(user: User): User;
  readable(id: string): Readable<User | undefined>;
  clear(): void;
};

/** Without what only concerns the own user. */
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
  return user as User;
};

const isNewer = (user: User, known: User): boolean => user.updated_at > known.updated_at;

export const createUserCache = (capacity: number, batch: Batch): UserCache => {
  const users = createLru<string, User>(capacity);
  const listeners = new Map<string, Set<() => void>>();
  const store = (user: User): User => {
    users.set(user.id, user);
    const heard = listeners.get(user.id);
    if (heard) batch.touch(heard);
    return user;
  };
  const subscribe = (id: string) => (listener: () => void) => {
    const heard = listeners.get(id) ?? new Set();
    listeners.set(id, heard);
    heard.add(listener);
    return () => {
      heard.delete(listener);
      if (heard.size === 0) listeners.delete(id);
    };
  };
  return {
    intern: (user) => {
      const known = users.get(user.id);
      if (known === undefined) return store(user);
      if (!isNewer(user, known)) return known;
      return store({ ...(known.online === undefined ? {} : { online: known.online }), ...user });
    },
    put: (user) => store({ ...users.peek(user.id), ...user }),
    readable: (id) => ({ get: () => users.peek(id), subscribe: subscribe(id) }),
    clear: () => {
      users.clear();
      for (const heard of listeners.values()) batch.touch(heard);
    },
  };
};
