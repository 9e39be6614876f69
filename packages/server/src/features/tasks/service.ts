import { randomUUID } from 'node:crypto';
import { ParleyError, type Task } from '@parley/protocol';
import { type Actor, actorId } from '../../auth/actor.ts';
import type { Db } from '../../db/schema.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { toTask } from './record.ts';
import { createTaskRunner, type TaskHandler } from './runner.ts';
import { findTask, insertTask } from './store.ts';

export type Tasks = ReturnType<typeof createTasks>;

/** Work that takes longer than a call: kept in the database, done by whichever server is up. */
export const createTasks = (kernel: Kernel) => {
  const runner = createTaskRunner(kernel);
  return {
    /** Says how a kind of work is done. What it does may be done again from the start after a crash. */
    handle: (kind: string, handler: TaskHandler): void => runner.handle(kind, handler),
    start: runner.start,
    poke: runner.poke,
    /** With a `db` of a transaction the task begins with its commit; `poke` then starts it at once. */
    async add(
      actor: Actor,
      kind: string,
      input: Record<string, unknown>,
      db: Db = kernel.db,
    ): Promise<string> {
      const now = kernel.now();
      const id = randomUUID();
      await insertTask(db, {
        id,
        kind,
        input: JSON.stringify(input),
        user_id: actor.kind === 'server' ? null : (actorId(actor) ?? null),
        created_at: now,
        updated_at: now,
      });
      runner.poke();
      return id;
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
