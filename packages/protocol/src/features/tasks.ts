import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { doc, optional, record } from '../record.ts';
import { Id, Time } from '../schema.ts';

const task = Type.Object({
  task_id: doc('The id of the task.', Id),
  status: doc('The state of the task.', Type.Enum(['waiting', 'running', 'completed', 'failed'])),
  progress: doc('How much is done, in percent.', Type.Integer({ minimum: 0, maximum: 100 })),
  result: optional('The result of a completed task.', Type.Record(Type.String(), Type.Unknown())),
  error: optional('Why a failed task failed.', Type.String()),
  created_at: doc('When the task was created.', Time),
  updated_at: doc('When the task last made progress.', Time),
});
/** Work that takes longer than a call. */
export interface Task extends Static<typeof task> {}
const TaskSchema = record<Task>('Task', task);

export const tasksCalls = {
  'GET /tasks/{id}': call({
    side: 'CS',
    limit: 'read',
    summary: 'How far a task is; a client sees only its own',
    reply: TaskSchema,
  }),
};
