import type { Task } from '@parley/protocol';
import type { TaskRow } from '../../work/long-task-store.ts';

export const toTask = (row: TaskRow): Task => ({
  task_id: row.id,
  status: row.status,
  progress: row.progress,
  ...(row.result === null ? {} : { result: row.result }),
  ...(row.error === null ? {} : { error: row.error }),
  created_at: row.created_at,
  updated_at: row.updated_at,
});
