import { invalid, limits } from '@parley/protocol';
import type { Routes } from '../../http/route.ts';
import type { MessageChanges } from './changes.ts';
import type { SendEphemeral } from './ephemeral.ts';
import type { MessageHistory } from './history.ts';
import type { PendingMessages } from './pending.ts';
import type { Messages } from './service.ts';

const parseLimit = (text: string | undefined, fallback: number): number => {
  if (text === undefined) return fallback;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > limits.pageMax)
    throw invalid('limit', `must be a number from 1 to ${limits.pageMax}`);
  return limit;
};

type Services = {
  messages: Messages;
  changes: MessageChanges;
  history: MessageHistory;
  pending: PendingMessages;
  sendEphemeral: SendEphemeral;
};

export const messagesRoutes = (
  routes: Routes,
  { messages, changes, history, pending, sendEphemeral }: Services,
): void => {
  routes.add('POST /messages/{id}/commit', ({ actor, params }) => pending.commit(actor, params.id));
  routes.add('POST /messages/history', ({ actor, body }) => history.query(actor, body));
  routes.addDirect('POST /channels/{type}/{id}/message', async ({ actor, params, body }) => {
    const cid = `${params.type}:${params.id}`;
    if (body.message.type === 'ephemeral') return { message: await sendEphemeral(actor, cid, body.message) };
    return body.pending ? pending.hold(actor, cid, body.message) : messages.send(actor, cid, body.message);
  });
  routes.add('GET /channels/{type}/{id}/messages', async ({ actor, params, query }) => ({
    messages: await messages.byIds(
      actor,
      `${params.type}:${params.id}`,
      query.ids.split(',').slice(0, limits.pageMax),
    ),
  }));
  routes.add('GET /messages/{id}', async ({ actor, params }) => ({
    message: (await pending.get(actor, params.id)) ?? (await messages.get(actor, params.id)),
  }));
  routes.add('PUT /messages/{id}', ({ actor, params, body }) =>
    changes.replace(actor, params.id, body.message),
  );
  routes.add('PATCH /messages/{id}', ({ actor, params, body }) => changes.patch(actor, params.id, body));
  routes.add('DELETE /messages/{id}', async ({ actor, params, query }) => {
    const discarded = await pending.discard(actor, params.id);
    return discarded ? { message: discarded } : changes.remove(actor, params.id, query.hard === 'true');
  });
  routes.add('POST /messages/{id}/undelete', ({ actor, params }) => changes.undelete(actor, params.id));
  routes.add('GET /messages/{id}/replies', async ({ actor, params, query }) => {
    const { limit, id_lt, id_lte, id_gt, id_gte, id_around } = query;
    const positions = Object.entries({ id_lt, id_lte, id_gt, id_gte, id_around }).filter(
      ([, value]) => value !== undefined,
    );
    const window = { ...Object.fromEntries(positions), limit: parseLimit(limit, limits.repliesDefault) };
    return { messages: await messages.replies(actor, params.id, window, limits.repliesDefault) };
  });
};
