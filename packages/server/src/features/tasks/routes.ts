import type { Routes } from '../../http/route.ts';
import type { Tasks } from './service.ts';

export const tasksRoutes = (routes: Routes, tasks: Tasks): void => {
  routes.add('GET /tasks/{id}', ({ actor, params }) => tasks.get(actor, params.id));
};
