import type { Routes } from '../../http/route.ts';
import type { Commands } from './service.ts';

export const commandsRoutes = (routes: Routes, commands: Commands): void => {
  routes.add('GET /commands', async () => ({ commands: await commands.list() }));
  routes.add('POST /commands', async ({ body: { name, ...settings } }) => ({
    command: await commands.create(name, settings),
  }));
  routes.add('GET /commands/{name}', async ({ params }) => ({ command: await commands.show(params.name) }));
  routes.add('PUT /commands/{name}', async ({ params, body }) => ({
    command: await commands.replace(params.name, body),
  }));
  routes.add('DELETE /commands/{name}', async ({ params }) => {
    await commands.remove(params.name);
    return {};
  });
};
