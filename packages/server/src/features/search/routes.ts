import type { Routes } from '../../http/route.ts';
import type { Searching } from './service.ts';

export const searchRoutes = (routes: Routes, searching: Searching): void => {
  routes.add('POST /search', ({ actor, body }) => searching.search(actor, body));
};
