import type { Routes } from '../../http/route.ts';
import type { Roles } from './service.ts';

export const rolesRoutes = (routes: Routes, roles: Roles): void => {
  routes.add('GET /permissions', () => roles.permissions());
  routes.add('GET /roles', async () => ({ roles: await roles.list() }));
  routes.add('POST /roles', async ({ body }) => ({ role: await roles.create(body.name) }));
  routes.add('DELETE /roles/{name}', async ({ params }) => {
    await roles.remove(params.name);
    return {};
  });
};
