import type { Routes } from '../../http/route.ts';
import type { ChannelPreferences } from './service.ts';

export const channelPreferencesRoutes = (routes: Routes, preferences: ChannelPreferences): void => {
  routes.add('POST /channels/{type}/{id}/hide', async ({ actor, params, body }) => {
    const cid = `${params.type}:${params.id}`;
    return { own_version: await preferences.hide(actor, cid, body.clear_history ?? false) };
  });
  routes.add('POST /channels/{type}/{id}/show', async ({ actor, params }) => ({
    own_version: await preferences.show(actor, `${params.type}:${params.id}`),
  }));
  routes.add('POST /moderation/mute/channel', async ({ actor, body }) => ({
    channel_mutes: await preferences.mute(actor, body.channel_cids, body.expiration),
  }));
  routes.add('POST /moderation/unmute/channel', async ({ actor, body }) => ({
    channel_mutes: await preferences.unmute(actor, body.channel_cids),
  }));
};
