import type { Routes } from '../../http/route.ts';
import type { Apps } from './service.ts';

export const appsRoutes = (routes: Routes, apps: Apps): void => {
  routes.add('GET /app', async () => ({ app: await apps.show() }));
  routes.add('PATCH /app', async ({ body }) => ({ app: await apps.patch(body) }));
};
