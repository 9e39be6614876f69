import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import type { Messages } from '../messages/service.ts';
import type { UserCache } from '../users/cache.ts';
import { scheduledMessagesRoutes } from './routes.ts';
import { createSendingJob } from './sending-job.ts';
import { ScheduledMessages } from './service.ts';

type Deps = { kernel: Kernel; users: UserCache; messages: Messages };

export const createScheduledMessages = ({ kernel, users, messages }: Deps): Feature<ScheduledMessages> => {
  const job = createSendingJob({ kernel, messages, users });
  const service = new ScheduledMessages({ kernel, messages, job });
  return { service, routes: (routes) => scheduledMessagesRoutes(routes, service), jobs: [job] };
};
