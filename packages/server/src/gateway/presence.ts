import type { User } from '@parley/protocol';

/** Who is connected. The gateway fills it; services read it. */
export type Presence = {
  isOnline(userId: string): boolean;
  withPresence(user: User, lastActive: string | null): User;
};

export const createPresence = (isOnline: (userId: string) => boolean): Presence => ({
  isOnline,
  withPresence: (user, lastActive) => ({
    ...user,
    online: isOnline(user.id),
    ...(lastActive === null ? {} : { last_active: lastActive }),
  }),
});
