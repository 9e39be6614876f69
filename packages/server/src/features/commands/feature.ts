import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import type { Messages } from '../messages/service.ts';
import { commandsRoutes } from './routes.ts';
import { type Commands, createCommandService } from './service.ts';

type Deps = { kernel: Kernel; messages: Messages };

export const createCommands = ({ kernel, messages }: Deps): Feature<Commands> => {
  const service = createCommandService(kernel);
  messages.hooks.beforeSend.add(service.check);
  return { service, routes: (routes) => commandsRoutes(routes, service) };
};
