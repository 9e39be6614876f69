import type { Core } from '../../core.ts';
import { late } from '../../load-late.ts';
import { askQuietly } from '../../retry.ts';

const asking =
  (name: 'follow' | 'refreshMembers') =>
  (core: Core) =>
  (of: readonly string[], connectionId: string): Promise<void> =>
    askQuietly(core, 'Users', () => late(core, 'presence', name)[name](of, connectionId));

/** Asks for these users, and subscribes to their presence. */
export const followUsers = asking('follow');

/** A new connection follows nobody, and what users changed is in no log: asks for the members of the newest channels. */
export const refreshMembers = asking('refreshMembers');
