import { ParleyError } from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { requireCapability } from '../../access/place.ts';
import type { Actor } from '../../auth/actor.ts';
import type { Tasks } from '../tasks/service.ts';
import type { ChannelChanges } from './changes.ts';

const kind = 'delete-channels';
const server: Actor = { kind: 'server', user: undefined };

export type ChannelDeleting = ReturnType<typeof createChannelDeleting>;

/** Deletes many channels as a task. Who asks must be allowed to delete every one of them, or none is. */
export const createChannelDeleting = (access: Access, changes: ChannelChanges, tasks: Tasks) => {
  tasks.handle(kind, async (input, report) => {
    const { cids, hard } = input as { cids: string[]; hard: boolean };
    const outcomes: Record<string, 'deleted' | 'gone'> = {};
    for (const [index, cid] of cids.entries()) {
      await report(index / cids.length);
      try {
        await changes.remove(server, cid, hard, (done) => report((index + done) / cids.length));
        outcomes[cid] = 'deleted';
      } catch (error) {
        if (!(error instanceof ParleyError && error.name === 'NotFound')) throw error;
        outcomes[cid] = 'gone';
      }
    }
    return { channels: outcomes };
  });

  return async (actor: Actor, given: string[], hard: boolean): Promise<string> => {
    const cids = [...new Set(given)];
    if (hard && actor.kind !== 'server')
      throw new ParleyError(
        'NotAllowed',
        'Only the server may delete a channel for good (hard-delete-channel)',
      );
    for (const cid of cids)
      if (!hard || !(await access.find(cid))?.deleted_at)
        requireCapability(await access.enter(actor, cid), 'delete-channel');
    return tasks.add(actor, kind, { cids, hard });
  };
};
