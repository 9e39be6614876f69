import type { User } from '@parley/protocol';

/** Who is connected. The gateway fills it; services read it. */
export type Presence = {
  /**
   * Those who left a moment ago, of whom nobody has been told yet. They count as online: who asks meanwhile
   * would not be told that they are back.
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
