import type { Routes } from '../../http/route.ts';
import type { Receipts } from './receipts.ts';
import type { Reads } from './service.ts';

export const readsRoutes = (routes: Routes, reads: Reads, receipts: Receipts): void => {
  routes.add('POST /channels/{type}/{id}/read', async ({ actor, params, body }) => ({
    read:
      body.thread_id === undefined
        ? await reads.markRead(actor, `${params.type}:${params.id}`, {
            messageId: body.message_id,
            ...(body.message_id === undefined && { lastNumber: body.last_number }),
          })
        : await reads.markThreadRead(actor, `${params.type}:${params.id}`, {
            threadId: body.thread_id,
            lastReplyId: body.message_id,
          }),
  }));
  routes.add('POST /channels/{type}/{id}/unread', async ({ actor, params, body }) => ({
    read: await reads.markUnread(actor, `${params.type}:${params.id}`, body.message_id),
  }));
  routes.add('POST /channels/read', ({ actor, body }) => reads.markManyRead(actor, body.cids));
  routes.add('POST /channels/delivered', async ({ actor, body }) => {
    await reads.delivered(actor, body.latest_delivered_messages);
    return {};
  });
  routes.add('GET /channels/{type}/{id}/unread/explain', ({ actor, params }) =>
    receipts.explainUnread(actor, `${params.type}:${params.id}`),
  );
  routes.add('GET /messages/{id}/receipts', ({ actor, params }) => receipts.of(actor, params.id));
  routes.add('GET /unread', ({ actor }) => reads.unread(actor));
};
