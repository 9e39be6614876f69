import type { Access } from '../../access/access.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import type { Hydrate } from '../messages/hydrate.ts';
import { draftsRoutes } from './routes.ts';
import { Drafts } from './service.ts';

type Deps = { kernel: Kernel; access: Access; hydrate: Hydrate };

export const createDrafts = (deps: Deps): Feature<Drafts> => {
  const service = new Drafts(deps);
  return { service, routes: (routes) => draftsRoutes(routes, service) };
};
