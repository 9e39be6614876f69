import type { Access } from '../../access/access.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import type { ChannelStates } from '../channels/state.ts';
import type { Members } from '../members/service.ts';
import type { Hydrate } from '../messages/hydrate.ts';
import type { Messages } from '../messages/service.ts';
import type { Reads } from '../reads/service.ts';
import { threadsRoutes } from './routes.ts';
import { Threads } from './service.ts';

type Deps = {
  kernel: Kernel;
  access: Access;
  members: Members;
  messages: Messages;
  hydrate: Hydrate;
  reads: Reads;
  states: ChannelStates;
};

export const createThreads = (deps: Deps): Feature<Threads> => {
  const service = new Threads(deps);
  deps.messages.hooks.replied.add(service.replied);
  deps.messages.hooks.recounted.add(service.recounted);
  deps.messages.hooks.erasing.add(service.emptied);
  deps.members.hooks.left.add(service.left);
  return { service, routes: (routes) => threadsRoutes(routes, service) };
};
