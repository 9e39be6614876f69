import type { Routes } from '../../http/route.ts';
import type { Drafts } from './service.ts';

const placeOf = (params: { type: string; id: string }, parentId: string | undefined) => ({
  cid: `${params.type}:${params.id}`,
  parentId,
});

export const draftsRoutes = (routes: Routes, drafts: Drafts): void => {
  routes.add('POST /channels/{type}/{id}/draft', ({ actor, params, body }) =>
    drafts.save(actor, placeOf(params, body.parent_id), body.message, body.version),
  );
  routes.add('GET /channels/{type}/{id}/draft', async ({ actor, params, query }) => ({
    draft: await drafts.get(actor, placeOf(params, query.parent_id)),
  }));
  routes.add('DELETE /channels/{type}/{id}/draft', ({ actor, params, query }) =>
    drafts.remove(
      actor,
      placeOf(params, query.parent_id),
      query.version === undefined ? undefined : Number(query.version),
    ),
  );
  routes.add('POST /drafts/query', ({ actor, body }) => drafts.query(actor, body));
};
