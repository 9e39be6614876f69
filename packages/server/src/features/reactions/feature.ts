import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import type { Messages } from '../messages/service.ts';
import type { UserCache } from '../users/cache.ts';
import { reactionsRoutes } from './routes.ts';
import { Reactions } from './service.ts';

type Deps = { kernel: Kernel; users: UserCache; messages: Messages };

export const createReactions = (deps: Deps): Feature<Reactions> => {
  const service = new Reactions(deps);
  return { service, routes: (routes) => reactionsRoutes(routes, service) };
};
