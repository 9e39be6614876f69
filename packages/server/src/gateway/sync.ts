import { limits } from '@parley/protocol';
import type { Access } from '../access/access.ts';
import type { Actor } from '../auth/actor.ts';
import { eventsAfter } from '../events/event-log.ts';
import type { Kernel } from '../kernel.ts';

/** In one answer; who is behind by more than this is quicker with fresh snapshots. */
const mostEvents = 10_000;

/** The events after each cursor as JSON text, and the channels that must be queried anew. */
export const createSync = (kernel: Kernel, access: Access) => {
  return async (actor: Actor, cursors: Record<string, number>): Promise<string> => {
    const events: string[] = [];
    const resync: string[] = [];
    for (const [cid, seq] of Object.entries(cursors)) {
      const most = Math.min(limits.syncEventsPerChannel, mostEvents - events.length);
      const found = (await access.mayRead(actor, cid))
        ? await eventsAfter(kernel.db, cid, seq, most)
        : undefined;
      if (found) events.push(...found);
      else resync.push(cid);
    }
    return `{"events":[${events.join(',')}],"resync":${JSON.stringify(resync)}}`;
  };
};
export type Sync = ReturnType<typeof createSync>;
