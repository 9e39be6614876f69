import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import { rolesRoutes } from './routes.ts';
import { createRoleService, type Roles } from './service.ts';

export const createRoles = ({ kernel }: { kernel: Kernel }): Feature<Roles> => {
  const service = createRoleService(kernel);
  return { service, ensure: service.ensure, routes: (routes) => rolesRoutes(routes, service) };
};
