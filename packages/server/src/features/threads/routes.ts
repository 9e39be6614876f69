import type { Routes } from '../../http/route.ts';
import type { Threads } from './service.ts';

export const threadsRoutes = (routes: Routes, threads: Threads): void => {
  routes.add('POST /threads', ({ actor, body, watcher }) => threads.query(actor, body, watcher));
  routes.add('GET /threads/{message_id}', async ({ actor, params }) => ({
    thread: await threads.get(actor, params.message_id),
  }));
  routes.add('PATCH /threads/{message_id}', async ({ actor, params, body }) => ({
    thread: await threads.patch(actor, params.message_id, body),
  }));
};
