import type { Task } from '@parley/protocol';
import { errorTable, ParleyError } from '@parley/protocol/errors';
import type { Http } from '../../http/http.ts';
import { isPassing } from '../../retry.ts';

export type Wait = { everyMs?: number; signal?: AbortSignal; onProgress?: (task: Task) => void };

/** An expired token that could not be reloaded stays expired: to ask again would never end. */
const isWorthAsking = (error: unknown): boolean =>
  isPassing(error) && !(error instanceof ParleyError && error.code === errorTable.TokenExpired.code);

/** The same promise, given up as soon as the signal says so. */
const abortable = <T>(running: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (!signal) return running;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
    running.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
};

/** The calls are the same for people and for servers. */
export const createTaskCalls = (http: Pick<Http, 'call'>) => {
  const ask = (id: string, signal?: AbortSignal): Promise<Task> =>
    http.call('GET /tasks/{id}', { path: { id }, signal });
  /** Resolves when the task is over, however it ended. A server that cannot be reached meanwhile, or is busy, is asked again;
   * the signal ends the waiting at once, and the task goes on. */
  const wait = async (id: string, { everyMs = 500, signal, onProgress }: Wait = {}): Promise<Task> => {
    for (;;) {
      signal?.throwIfAborted();
      const task = await abortable(ask(id, signal), signal).catch((error: unknown) => {
        if (signal?.aborted || !isWorthAsking(error)) throw signal?.aborted ? signal.reason : error;
      });
      if (task) {
        onProgress?.(task);
        if (task.status === 'completed' || task.status === 'failed') return task;
      }
      let timer: ReturnType<typeof setTimeout> | undefined;
      const later = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, everyMs);
      });
      await abortable(later, signal).finally(() => clearTimeout(timer));
    }
  };
  return {
    /** The state of a task. */
    get: (id: string) => ask(id),
    /** Waits until a task has ended. */
    wait,
  };
};
