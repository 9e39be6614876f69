import type { Routes } from '../../http/route.ts';
import type { Members } from './service.ts';

export const membersRoutes = (routes: Routes, members: Members): void => {
  routes.add('POST /members/query', ({ actor, body: { type, id, ...request } }) =>
    members.query(actor, `${type}:${id}`, request),
  );
  routes.add('PATCH /channels/{type}/{id}/member', async ({ actor, params, body }) => ({
    member: await members.patch(actor, `${params.type}:${params.id}`, body.target_user_id, body),
  }));
};
