import { limits } from '@parley/protocol';
import type { Actor } from '../auth/actor.ts';
import { eventsAfter } from '../events/event-log.ts';
import type { Access } from '../features/channels/access.ts';
import type { Kernel } from '../kernel.ts';

/** The events after each cursor as JSON text, and the channels that must be queried anew. */
export const createSync = (kernel: Kernel, access: Access) => {
  const mayRead = async (actor: Actor, cid: string): Promise<boolean> =>
    (await access.look(actor, cid))?.capabilities.has('read-channel') ?? false;

  return async (actor: Actor, cursors: Record<string, number>): Promise<string> => {
    const events: string[] = [];
    const resync: string[] = [];
    for (const [cid, seq] of Object.entries(cursors)) {
      const found = (await mayRead(actor, cid))
        ? await eventsAfter(kernel.db, cid, seq, limits.syncEventsPerChannel)
        : undefined;
      if (found) events.push(...found);
      else resync.push(cid);
    }
    return `{"events":[${events.join(',')}],"resync":${JSON.stringify(resync)}}`;
  };
};
export type Sync = ReturnType<typeof createSync>;
