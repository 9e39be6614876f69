import type { Access } from '../../access/access.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import type { Hydrate } from '../messages/hydrate.ts';
import type { Messages } from '../messages/service.ts';
import type { UserCache } from '../users/cache.ts';
import { createReminderJob } from './due-job.ts';
import { remindersRoutes } from './routes.ts';
import { Reminders } from './service.ts';

type Deps = { kernel: Kernel; access: Access; users: UserCache; messages: Messages; hydrate: Hydrate };

export const createReminders = ({ kernel, access, users, messages, hydrate }: Deps): Feature<Reminders> => {
  const job = createReminderJob({ kernel, access, users, hydrate });
  const service = new Reminders({ kernel, access, messages, hydrate, job });
  messages.hooks.personal.add(service.personal);
  return { service, routes: (routes) => remindersRoutes(routes, service), jobs: [job] };
};
