import type { User } from '@parley/protocol';

export const isUserOnline = (user: User | undefined): boolean => user?.online === true;
