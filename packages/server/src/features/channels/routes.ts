import { ReadyJson } from '../../http/ready-json.ts';
import type { Routes } from '../../http/route.ts';
import type { Messages } from '../messages/service.ts';
import type { ChannelChanges } from './changes.ts';
import type { DeleteChannels } from './deletion.ts';
import { createSendAlong, leaves } from './send-along.ts';
import type { Channels } from './service.ts';
import { stateJson } from './state.ts';

type Deps = {
  channels: Channels;
  changes: ChannelChanges;
  deleteMany: DeleteChannels;
  messages: Messages;
};

export const channelsRoutes = (routes: Routes, { channels, changes, deleteMany, messages }: Deps): void => {
  const along = createSendAlong(messages);

  routes.add('POST /channels', ({ actor, body, watcher }) => channels.query(actor, body, watcher));
  routes.add('POST /channels/{type}/query', async ({ actor, params, body, watcher }) => {
    const { created, state } = await channels.getOrCreateDistinct(actor, params.type, body, watcher);
    return new ReadyJson(stateJson(state), created ? 201 : 200);
  });
  routes.add('POST /channels/{type}/{id}/query', async ({ actor, params, body, watcher }) => {
    const { created, state } = await channels.getOrCreate(actor, params, body, watcher);
    return new ReadyJson(stateJson(state), created ? 201 : 200);
  });
  routes.add('POST /channels/{type}/{id}', async ({ actor, params, body }) => {
    const cid = `${params.type}:${params.id}`;
    const { message, ...update } = body;
    if (!message) return changes.update(actor, cid, update);
    await along.check(actor, cid, message, update);
    // The message of a person who leaves is sent while they may still send.
    const goodbye = leaves(actor, update) ? await along.send(actor, cid, message) : undefined;
    const changed = await changes.update(actor, cid, update);
    return { ...changed, message: goodbye ?? (await along.send(actor, cid, message)) };
  });
  routes.add('PATCH /channels/{type}/{id}', ({ actor, params, body }) =>
    changes.patch(actor, `${params.type}:${params.id}`, body),
  );
  routes.add('DELETE /channels/{type}/{id}', async ({ actor, params, query }) => ({
    channel: await changes.remove(actor, `${params.type}:${params.id}`, query.hard_delete === 'true'),
  }));
  routes.add('POST /channels/delete', async ({ actor, body }) => ({
    task_id: await deleteMany(actor, body.cids, body.hard_delete ?? false),
  }));
  routes.add('POST /channels/{type}/{id}/truncate', async ({ actor, params, body }) => {
    const cid = `${params.type}:${params.id}`;
    if (body.message) await along.check(actor, cid, body.message);
    const truncated = await changes.truncate(actor, cid);
    const { message } = body;
    return message ? { ...truncated, message: await along.send(actor, cid, message) } : truncated;
  });
  routes.add('POST /channels/{type}/{id}/stop-watching', async ({ params, watcher }) => {
    await watcher?.unwatch([`${params.type}:${params.id}`]);
    return {};
  });
};
