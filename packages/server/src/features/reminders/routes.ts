import type { Routes } from '../../http/route.ts';
import type { Reminders } from './service.ts';

export const remindersRoutes = (routes: Routes, reminders: Reminders): void => {
  routes.add('POST /messages/{id}/reminders', ({ actor, params, body }) =>
    reminders.create(actor, params.id, body),
  );
  routes.add('PATCH /messages/{id}/reminders', async ({ actor, params, body }) => ({
    reminder: await reminders.update(actor, params.id, body),
  }));
  routes.add('DELETE /messages/{id}/reminders', async ({ actor, params }) => {
    await reminders.remove(actor, params.id);
    return {};
  });
  routes.add('POST /reminders/query', ({ actor, body }) => reminders.query(actor, body));
};
