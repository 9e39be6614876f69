import type { Routes } from '../../http/route.ts';
import type { ChannelTypes } from './service.ts';

export const channelTypesRoutes = (routes: Routes, types: ChannelTypes): void => {
  routes.add('GET /channeltypes', async () => ({ channel_types: await types.list() }));
  routes.add('POST /channeltypes', async ({ body: { name, ...settings } }) => ({
    channel_type: await types.create(name, settings),
  }));
  routes.add('GET /channeltypes/{name}', async ({ params }) => ({
    channel_type: await types.show(params.name),
  }));
  routes.add('PUT /channeltypes/{name}', async ({ params, body }) => ({
    channel_type: await types.update(params.name, body),
  }));
  routes.add('DELETE /channeltypes/{name}', async ({ params }) => {
    await types.remove(params.name);
    return {};
  });
};
