import type { User } from '@parley/protocol';

/** Whether the user is online. */
export const isUserOnline = (user: User | undefined): boolean => user?.online === true;
