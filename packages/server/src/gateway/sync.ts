import { limits } from '@parley/protocol';
import type { Access } from '../access/access.ts';
import type { Actor } from '../auth/actor.ts';
import { eventsAfter } from '../events/event-log.ts';
import type { Kernel } from '../kernel.ts';

/** The events after each cursor as JSON text, the channels that must be queried anew, and those to ask for again because
 * the answer is full. */
export const createSync = (kernel: Kernel, access: Access) => {
  return async (actor: Actor, cursors: Record<string, number>): Promise<string> => {
    const events: string[] = [];
    const resync: string[] = [];
    const more: string[] = [];
    let room = limits.syncBytes;
    for (const [cid, seq] of Object.entries(cursors)) {
      // The first channel is always given an event, so every answer brings the client a step forward.
      if (room <= 0) {
        more.push(cid);
        continue;
      }
      const bounds = { most: limits.syncEventsPerChannel, bytes: room };
      const page = (await access.mayRead(actor, cid))
        ? await eventsAfter(kernel.db, { cid, seq }, bounds)
        : undefined;
      if (!page) resync.push(cid);
      else {
        events.push(...page.events);
        room -= page.bytes;
        if (page.more) more.push(cid);
      }
    }
    const rest = more.length > 0 ? `,"more":${JSON.stringify(more)}` : '';
    return `{"events":[${events.join(',')}],"resync":${JSON.stringify(resync)}${rest}}`;
  };
};
export type Sync = ReturnType<typeof createSync>;
