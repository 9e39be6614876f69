import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { Id, Time } from '../schema.ts';

/** Work that takes longer than a call. `progress` is in hundredths. */
export const TaskSchema = Type.Object({
  task_id: Id,
  status: Type.Enum(['waiting', 'running', 'completed', 'failed']),
  progress: Type.Integer({ minimum: 0, maximum: 100 }),
  result: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  error: Type.Optional(Type.String()),
  created_at: Time,
  updated_at: Time,
});
export type Task = Static<typeof TaskSchema>;

export const tasksCalls = {
  'GET /tasks/{id}': call({
    side: 'CS',
    limit: 'read',
    summary: 'How far a task is; a client sees only its own',
    reply: TaskSchema,
  }),
};
