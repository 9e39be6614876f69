import type { Routes } from '../../http/route.ts';
import type { Locations } from './service.ts';

export const locationsRoutes = (routes: Routes, locations: Locations): void => {
  routes.add('PUT /users/live_locations', async ({ actor, body }) => ({
    shared_location: await locations.update(actor, body),
  }));
  routes.add('GET /users/live_locations', ({ actor }) => locations.active(actor));
};
