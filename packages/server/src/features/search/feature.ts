import type { Access } from '../../access/access.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import type { Hydrate } from '../messages/hydrate.ts';
import { startIndexing } from './indexing.ts';
import { searchRoutes } from './routes.ts';
import { Searching } from './service.ts';

type Deps = { kernel: Kernel; access: Access; hydrate: Hydrate };

export const createSearch = ({ kernel, access, hydrate }: Deps): Feature<Searching> => {
  const indexing = startIndexing(kernel);
  const service = new Searching({ kernel, access, hydrate, indexing });
  return { service, routes: (routes) => searchRoutes(routes, service), stop: indexing.stop };
};
