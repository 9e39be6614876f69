import type { Access } from '../../access/access.ts';
import type { Presence } from '../../hub/presence.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import type { UserCache } from '../users/cache.ts';
import { membersRoutes } from './routes.ts';
import { Members } from './service.ts';

type Deps = { kernel: Kernel; access: Access; presence: Presence; users: UserCache };

export const createMembers = (deps: Deps): Feature<Members> => {
  const service = new Members(deps);
  return { service, routes: (routes) => membersRoutes(routes, service) };
};
