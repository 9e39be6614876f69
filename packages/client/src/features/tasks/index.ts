/** The entry `@parley/client/tasks`: work that takes longer than a call. */
import type { Task } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { checkObject } from '../../cid.ts';
import type { Feature, FeatureCore } from '../../client.ts';
import { createTaskCalls, type Wait } from './calls.ts';

export type { Task };

/** How far the deleting of channels is: `done` of `all`, in whole channels. */
export type DeletingProgress = { done: number; all: number };
/** `gone` were deleted by somebody else meanwhile. */
export type DeletingOutcome = { deleted: string[]; gone: string[] };

const isOutcome = (how: unknown): how is keyof DeletingOutcome => how === 'deleted' || how === 'gone';

const createTasks = ({ http }: FeatureCore) => {
  const { get, wait } = createTaskCalls(http);
  /** Begins to delete channels, at most 100; resolves to the id of the task that does it. */
  const deleteChannels = async (cids: string[]): Promise<string> =>
    (await http.call('POST /channels/delete', { body: { cids } })).task_id;
  return {
    /** The state of a task. */
    get,
    /** Waits until a task has ended. */
    wait,
    /** Begins to delete channels, at most 100; resolves to the id of the task that does it. */
    deleteChannels,
    /** Deletes any number of channels and follows it to its end. Throws with what was not deleted still there. */
    deleteAll: async (
      cids: readonly string[],
      {
        onProgress,
        ...options
      }: Omit<Wait, 'onProgress'> & { onProgress?: (at: DeletingProgress) => void } = {},
    ): Promise<DeletingOutcome> => {
      checkObject('cids', cids);
      const outcome: DeletingOutcome = { deleted: [], gone: [] };
      for (let from = 0; from < cids.length; from += limits.cidsPerCall) {
        const part = cids.slice(from, from + limits.cidsPerCall);
        const report = ({ progress }: Task) =>
          onProgress?.({ done: from + Math.round((part.length * progress) / 100), all: cids.length });
        const task = await wait(await deleteChannels(part), { ...options, onProgress: report });
        if (task.status === 'failed') throw new Error(task.error);
        for (const [cid, how] of Object.entries(task.result?.channels ?? {}))
          if (isOutcome(how)) outcome[how].push(cid);
      }
      return outcome;
    },
  };
};
export type Tasks = ReturnType<typeof createTasks>;

export const tasks: Feature<Tasks> = { name: 'tasks', create: createTasks };
