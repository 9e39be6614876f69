import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import { tasksRoutes } from './routes.ts';
import { createTaskService, type Tasks } from './service.ts';

export const createTasks = ({ kernel }: { kernel: Kernel }): Feature<Tasks> => {
  const service = createTaskService(kernel);
  return { service, routes: (routes) => tasksRoutes(routes, service), jobs: [service] };
};
