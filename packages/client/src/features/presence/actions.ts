import type { Core } from '../../core.ts';
import { derived, type Readable } from '../../readable.ts';
import { isUserOnline } from './selectors.ts';

export const createPresence = (core: Core) => ({
  isOnline: (userId: string): Readable<boolean> => derived(core.users.readable(userId), isUserOnline),
});
