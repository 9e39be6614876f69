import type { Routes } from '../../http/route.ts';
import type { ScheduledMessages } from './service.ts';

export const scheduledMessagesRoutes = (routes: Routes, scheduled: ScheduledMessages): void => {
  routes.add('POST /channels/{type}/{id}/scheduled_messages', ({ actor, params, body }) =>
    scheduled.create(actor, `${params.type}:${params.id}`, body.message, body.send_at),
  );
  routes.add('POST /scheduled_messages/query', ({ actor, body }) => scheduled.query(actor, body));
  routes.add('PATCH /scheduled_messages/{id}', async ({ actor, params, body }) => ({
    scheduled_message: await scheduled.update(actor, params.id, body),
  }));
  routes.add('DELETE /scheduled_messages/{id}', async ({ actor, params }) => {
    await scheduled.remove(actor, params.id);
    return {};
  });
};
