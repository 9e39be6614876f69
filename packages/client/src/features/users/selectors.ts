import type { User } from '@parley/protocol';

/** The name to show of a user: their name, or their id. */
export const selectUserName = (user: Pick<User, 'id' | 'name'>): string => user.name || user.id;
