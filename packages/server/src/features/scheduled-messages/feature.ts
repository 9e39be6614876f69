import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import type { Apps } from '../apps/service.ts';
import type { FileHooks } from '../attachments/hooks.ts';
import type { Messages } from '../messages/service.ts';
import type { UserCache } from '../users/cache.ts';
import { scheduledMessagesRoutes } from './routes.ts';
import { createSendingJob } from './sending-job.ts';
import { ScheduledMessages } from './service.ts';
import { findFilesOfScheduled } from './store.ts';

type Deps = { kernel: Kernel; apps: Apps; users: UserCache; messages: Messages; fileHooks: FileHooks };

export const createScheduledMessages = (deps: Deps): Feature<ScheduledMessages> => {
  const { kernel, apps, users, messages, fileHooks } = deps;
  fileHooks.namedFiles.add(findFilesOfScheduled);
  const job = createSendingJob({ kernel, apps, messages, users });
  const service = new ScheduledMessages({ kernel, messages, job });
  return { service, routes: (routes) => scheduledMessagesRoutes(routes, service), jobs: [job] };
};
