import type { User } from '@parley/protocol';

/** The users who are online. The gateway fills it; services read it. */
export type Presence = {
  /**
   * Users who disconnected a moment ago, before others are notified. They count as online: a reader who asks meanwhile
   * would get no event when they are back.
   */
  leaving: Map<string, { stop(): void }>;
  isOnline(userId: string): boolean;
  withPresence(user: User, lastActive: string | null): User;
};

export const trackPresence = (isConnected: (userId: string) => boolean): Presence => {
  const leaving: Presence['leaving'] = new Map();
  const isOnline = (userId: string) => isConnected(userId) || leaving.has(userId);
  return {
    leaving,
    isOnline,
    withPresence: (user, lastActive) => ({
      ...user,
      online: isOnline(user.id),
      ...(lastActive === null ? {} : { last_active: lastActive }),
    }),
  };
};
