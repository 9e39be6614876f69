/** The entry `@parley/client/tasks`: work that takes longer than a call. */
import type { Task } from '@parley/protocol';
import type { ParleyClient } from '../../client.ts';

export type { Task };

type Wait = { everyMs?: number; signal?: AbortSignal };

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const createTasks = ({ http }: ParleyClient) => {
  const get = (id: string): Promise<Task> => http.call('GET /tasks/{id}', { path: { id } });
  return {
    get,
    /** Resolves when the task is over, however it ended. */
    wait: async (id: string, { everyMs = 500, signal }: Wait = {}): Promise<Task> => {
      for (;;) {
        const task = await get(id);
        if (task.status === 'completed' || task.status === 'failed') return task;
        await pause(everyMs);
        signal?.throwIfAborted();
      }
    },
    /** Deletes many channels; resolves to the id of the task that does it. */
    deleteChannels: async (cids: string[]): Promise<string> =>
      (await http.call('POST /channels/delete', { body: { cids } })).task_id,
  };
};
export type Tasks = ReturnType<typeof createTasks>;
