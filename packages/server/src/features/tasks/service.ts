import { ParleyError, type Task } from '@parley/protocol';
import { type Actor, actorId } from '../../auth/actor.ts';
import type { Db } from '../../db/schema.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { createLongTasks } from '../../work/long-task.ts';
import type { TaskContext } from '../../work/long-task-run.ts';
import { findTask } from '../../work/long-task-store.ts';
import { toTask } from './record.ts';

type Fields = Record<string, unknown>;
type TaskOf<Input, State> = Omit<TaskContext, 'input' | 'state'> & { input: Input; state: State | undefined };
/** Adds a task of one kind; resolves to its id. */
export type AddTask<Input> = (actor: Actor, input: Input, db?: Db) => Promise<string>;

export type Tasks = ReturnType<typeof createTaskService>;

/** Long tasks that actors begin and follow. */
export const createTaskService = (kernel: Kernel) => {
  const { handle, start, wake, cancel, add } = createLongTasks(kernel);
  return {
    start,
    wake,
    cancel,
    /** Registers how a kind of task is done, before `start`. Returns the function that adds one for an actor: with the `db` of
     * a transaction the task exists from its commit on; `wake` then starts it at once. */
    define<Input extends Fields, State extends Fields = Fields>(
      kind: string,
      handler: (task: TaskOf<Input, State>) => Promise<Fields>,
    ): AddTask<Input> {
      // The input is that of the function below, and the state that of the handler: both only went through the database.
      handle(kind, (task) => handler(task as TaskOf<Input, State>));
      return (actor, input, db = kernel.db) => {
        const userId = actor.kind === 'server' ? null : (actorId(actor) ?? null);
        return add({ kind, input, userId }, db);
      };
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
