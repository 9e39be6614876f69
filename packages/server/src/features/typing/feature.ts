import type { Access } from '../../access/access.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import { typingRoutes } from './routes.ts';
import { createTypingService, type Typing } from './service.ts';

type Deps = { kernel: Kernel; access: Access };

export const createTyping = ({ kernel, access }: Deps): Feature<Typing> => {
  const service = createTypingService(kernel, access);
  return { service, routes: (routes) => typingRoutes(routes, service) };
};
