import type { Routes } from '../../http/route.ts';
import type { LinkPreviews } from './service.ts';

export const linkPreviewsRoutes = (routes: Routes, previews: LinkPreviews): void => {
  routes.add('GET /og', ({ actor, query }) => previews.get(actor, query.url));
};
