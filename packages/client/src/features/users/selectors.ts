import type { User } from '@parley/protocol';

export const selectUserName = (user: Pick<User, 'id' | 'name'>): string => user.name || user.id;
