import { ParleyError, type Task } from '@parley/protocol';
import { type Actor, actorId } from '../../auth/actor.ts';
import type { Db } from '../../db/schema.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { createLongTasks } from '../../work/long-task.ts';
import { findTask } from '../../work/long-task-store.ts';
import { toTask } from './record.ts';

export type Tasks = ReturnType<typeof createTaskService>;

/** Long tasks that actors begin and follow. */
export const createTaskService = (kernel: Kernel) => {
  const { handle, start, wake, cancel, add } = createLongTasks(kernel);
  return {
    handle,
    start,
    wake,
    cancel,
    /** With the `db` of a transaction the task exists from its commit on; `wake` then starts it at once. */
    add(actor: Actor, kind: string, input: Record<string, unknown>, db: Db = kernel.db): Promise<string> {
      const userId = actor.kind === 'server' ? null : (actorId(actor) ?? null);
      return add({ kind, input, userId }, db);
    },
    /** A client sees the tasks it began, the server sees all. */
    async get(actor: Actor, id: string): Promise<Task> {
      const row = await findTask(kernel.db, id);
      const isSeen = row && (actor.kind === 'server' || (row.user_id ?? '') === actorId(actor));
      if (!isSeen) throw new ParleyError('NotFound', `No task ${id}`);
      return toTask(row);
    },
  };
};
