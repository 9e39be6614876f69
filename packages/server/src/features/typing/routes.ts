import type { Routes } from '../../http/route.ts';
import type { Typing } from './service.ts';

export const typingRoutes = (routes: Routes, typing: Typing): void => {
  routes.add('POST /channels/{type}/{id}/event', async ({ actor, params, body }) => {
    await typing.send(actor, `${params.type}:${params.id}`, body.event);
    return {};
  });
};
