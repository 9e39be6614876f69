import type { Routes } from '../../http/route.ts';
import type { Reactions } from './service.ts';

export const reactionsRoutes = (routes: Routes, reactions: Reactions): void => {
  routes.add('POST /messages/{id}/reaction', ({ actor, params, body }) =>
    reactions.add(actor, params.id, body.reaction, body.enforce_unique ?? false),
  );
  routes.add('DELETE /messages/{id}/reaction/{type}', ({ actor, params }) =>
    reactions.remove(actor, params.id, params.type),
  );
  routes.add('POST /messages/{id}/reactions/query', ({ actor, params, body }) =>
    reactions.query(actor, params.id, body),
  );
};
