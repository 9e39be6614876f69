import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import { appsRoutes } from './routes.ts';
import { type Apps, createAppService } from './service.ts';

export const createApps = ({ kernel }: { kernel: Kernel }): Feature<Apps> => {
  const service = createAppService(kernel);
  return { service, ensure: service.ensure, routes: (routes) => appsRoutes(routes, service) };
};
