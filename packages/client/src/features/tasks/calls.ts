import type { Task } from '@parley/protocol';
import type { Http } from '../../http/http.ts';
import { NetworkError } from '../../http/network-error.ts';

export type Wait = { everyMs?: number; signal?: AbortSignal; onProgress?: (task: Task) => void };

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** For people and servers alike. */
export const createTaskCalls = (http: Http) => {
  const get = (id: string): Promise<Task> => http.call('GET /tasks/{id}', { path: { id } });
  /** Resolves when the task is over, however it ended. A server that cannot be reached meanwhile is asked again. */
  const wait = async (id: string, { everyMs = 500, signal, onProgress }: Wait = {}): Promise<Task> => {
    for (;;) {
      try {
        const task = await get(id);
        onProgress?.(task);
        if (task.status === 'completed' || task.status === 'failed') return task;
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error;
      }
      await pause(everyMs);
      signal?.throwIfAborted();
    }
  };
  return { get, wait };
};
