import { ParleyError } from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { requireCapability } from '../../access/place.ts';
import type { Actor } from '../../auth/actor.ts';
import type { Tasks } from '../tasks/service.ts';
import type { ChannelChanges } from './changes.ts';

const server: Actor = { kind: 'server', user: undefined };

export type DeleteChannels = ReturnType<typeof createChannelDeletion>;

type Input = { cids: string[]; gone?: string[]; hard: boolean };
type Outcomes = Record<string, 'deleted' | 'gone'>;
type State = { outcomes: Outcomes };

/** Deletes many channels as a task. The actor must be allowed to delete every one that exists, or none is deleted. */
export const createChannelDeletion = (access: Access, changes: ChannelChanges, tasks: Tasks) => {
  const addTask = tasks.define<Input, State>('delete-channels', async ({ input, state, report }) => {
    const { cids, gone = [], hard } = input;
    const outcomes: Outcomes = state?.outcomes ?? Object.fromEntries(gone.map((cid) => [cid, 'gone']));
    for (const [index, cid] of cids.entries()) {
      // Deleted by a run of this task before: another channel may stand under its cid by now.
      if (outcomes[cid] !== undefined) continue;
      await report(index / cids.length, { outcomes });
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

  /** False for a channel that is not there. */
  const mayDelete = async (actor: Actor, cid: string, hard: boolean): Promise<boolean> => {
    const row = await access.find(cid);
    if (!row || (row.deleted_at && !hard)) return false;
    if (!row.deleted_at) requireCapability(await access.enter(actor, cid), 'delete-channel');
    return true;
  };

  return async (actor: Actor, given: string[], hard: boolean): Promise<string> => {
    if (hard && actor.kind !== 'server')
      throw new ParleyError(
        'NotAllowed',
        'Only the server may delete a channel for good (hard-delete-channel)',
      );
    const cids: string[] = [];
    // The task does not look for these: a channel made under that cid meanwhile was never asked for.
    const gone: string[] = [];
    for (const cid of new Set(given)) ((await mayDelete(actor, cid, hard)) ? cids : gone).push(cid);
    return addTask(actor, { cids, gone, hard });
  };
};
