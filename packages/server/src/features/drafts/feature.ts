import type { Access } from '../../access/access.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import type { FileHooks } from '../attachments/hooks.ts';
import type { Hydrate } from '../messages/hydrate.ts';
import { draftsRoutes } from './routes.ts';
import { Drafts } from './service.ts';
import { findFilesOfDrafts } from './store.ts';

type Deps = { kernel: Kernel; access: Access; hydrate: Hydrate; fileHooks: FileHooks };

export const createDrafts = ({ fileHooks, ...deps }: Deps): Feature<Drafts> => {
  const service = new Drafts(deps);
  fileHooks.namedFiles.add(findFilesOfDrafts);
  return { service, routes: (routes) => draftsRoutes(routes, service) };
};
