import type { Message } from '@parley/protocol';
import type { Actor } from '../../auth/actor.ts';
import type { Hub } from '../../gateway/hub.ts';
import type { Routes } from '../../http/route.ts';
import type { ChannelChanges } from './changes.ts';
import type { Channels } from './service.ts';

/** Sending is a feature below this one: the composition root says how a message that comes along is sent. */
export type SendAlong = (actor: Actor, cid: string, message: Record<string, unknown>) => Promise<Message>;

type Deps = { channels: Channels; changes: ChannelChanges; hub: Hub; sendAlong: SendAlong };

export const channelsRoutes = (routes: Routes, { channels, changes, hub, sendAlong }: Deps): void => {
  routes.add('POST /channels', ({ actor, body, watcher }) => channels.query(actor, body, watcher));
  routes.add('POST /channels/{type}/query', async ({ actor, params, body, watcher, reply }) => {
    const { created, state } = await channels.getOrCreateDistinct(actor, params.type, body, watcher);
    reply.code(created ? 201 : 200);
    return state;
  });
  routes.add('POST /channels/{type}/{id}/query', async ({ actor, params, body, watcher, reply }) => {
    const { created, state } = await channels.getOrCreate(actor, params.type, params.id, body, watcher);
    reply.code(created ? 201 : 200);
    return state;
  });
  routes.add('POST /channels/{type}/{id}', async ({ actor, params, body }) => {
    const cid = `${params.type}:${params.id}`;
    const { message, ...update } = body;
    const changed = await changes.update(actor, cid, update);
    return message ? { ...changed, message: await sendAlong(actor, cid, message) } : changed;
  });
  routes.add('PATCH /channels/{type}/{id}', async ({ actor, params, body }) => ({
    channel: await changes.patch(actor, `${params.type}:${params.id}`, body),
  }));
  routes.add('DELETE /channels/{type}/{id}', async ({ actor, params, query }) => ({
    channel: await changes.remove(actor, `${params.type}:${params.id}`, query.hard_delete === 'true'),
  }));
  routes.add('POST /channels/{type}/{id}/truncate', async ({ actor, params, body }) => {
    const cid = `${params.type}:${params.id}`;
    const channel = await changes.truncate(actor, cid);
    return body.message ? { channel, message: await sendAlong(actor, cid, body.message) } : { channel };
  });
  routes.add('POST /channels/{type}/{id}/stop-watching', ({ params, watcher }) => {
    if (watcher) hub.unwatch(watcher, `${params.type}:${params.id}`);
    return {};
  });
};
