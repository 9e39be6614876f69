import { invalid, limits } from '@parley/protocol';
import type { Routes } from '../../http/route.ts';
import type { MessageChanges } from './changes.ts';
import type { Messages } from './service.ts';

const parseLimit = (text: string | undefined, fallback: number): number => {
  if (text === undefined) return fallback;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > limits.pageMax)
    throw invalid('limit', `must be a number from 1 to ${limits.pageMax}`);
  return limit;
};

export const messagesRoutes = (routes: Routes, messages: Messages, changes: MessageChanges): void => {
  routes.add('POST /channels/{type}/{id}/message', ({ actor, params, body }) =>
    messages.send(actor, `${params.type}:${params.id}`, body.message),
  );
  routes.add('GET /channels/{type}/{id}/messages', async ({ actor, params, query }) => ({
    messages: await messages.byIds(
      actor,
      `${params.type}:${params.id}`,
      query.ids.split(',').slice(0, limits.pageMax),
    ),
  }));
  routes.add('GET /messages/{id}', async ({ actor, params }) => ({
    message: await messages.get(actor, params.id),
  }));
  routes.add('PUT /messages/{id}', async ({ actor, params, body }) => ({
    message: await changes.replace(actor, params.id, body.message),
  }));
  routes.add('PATCH /messages/{id}', async ({ actor, params, body }) => ({
    message: await changes.patch(actor, params.id, body),
  }));
  routes.add('DELETE /messages/{id}', async ({ actor, params, query }) => ({
    message: await changes.remove(actor, params.id, query.hard === 'true'),
  }));
  routes.add('POST /messages/{id}/undelete', async ({ actor, params }) => ({
    message: await changes.undelete(actor, params.id),
  }));
  routes.add('GET /messages/{id}/replies', async ({ actor, params, query }) => {
    const { limit, id_lt, id_lte, id_gt, id_gte, id_around } = query;
    const positions = Object.entries({ id_lt, id_lte, id_gt, id_gte, id_around }).filter(
      ([, value]) => value !== undefined,
    );
    const window = { ...Object.fromEntries(positions), limit: parseLimit(limit, limits.repliesDefault) };
    return { messages: await messages.replies(actor, params.id, window, limits.repliesDefault) };
  });
};
