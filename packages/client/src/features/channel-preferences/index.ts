/** The entry `@parley/client/channel-preferences`: how the own user hides, mutes, pins and archives channels. */
import type { ChannelMute } from '@parley/protocol';
import { fromCid } from '../../cid.ts';
import type { Feature, FeatureCore } from '../../client.ts';
import { derived } from '../../readable.ts';

export type { ChannelMute };

const none: readonly ChannelMute[] = [];

const createChannelPreferences = ({ http, client: { members }, me }: FeatureCore) => ({
  /** Hides the channel until the next message. With `clearHistory` what was said so far is gone for the own user. */
  hide: async (cid: string, { clearHistory = false } = {}): Promise<void> => {
    const body = { clear_history: clearHistory };
    await http.call('POST /channels/{type}/{id}/hide', { path: fromCid(cid), body });
  },
  /** Shows a hidden channel again. */
  show: async (cid: string): Promise<void> => {
    await http.call('POST /channels/{type}/{id}/show', { path: fromCid(cid), body: {} });
  },
  /** Mutes the channel for `ms` milliseconds, or until it is unmuted. */
  mute: async (cid: string, { ms }: { ms?: number } = {}): Promise<void> => {
    const body = { channel_cids: [cid], ...(ms === undefined ? {} : { expiration: ms }) };
    await http.call('POST /moderation/mute/channel', { body });
  },
  /** Ends the mute of a channel. */
  unmute: async (cid: string): Promise<void> => {
    await http.call('POST /moderation/unmute/channel', { body: { channel_cids: [cid] } });
  },
  /** Pins a channel to the top of the own list, or removes the pin. */
  setPinned: (cid: string, pinned: boolean) => members.updateOwn(cid, { pinned }),
  /** Archives a channel for the own user, or ends that. */
  setArchived: (cid: string, archived: boolean) => members.updateOwn(cid, { archived }),
  mutes: derived(me, (own): readonly ChannelMute[] => own?.channel_mutes ?? none),
});
export type ChannelPreferences = ReturnType<typeof createChannelPreferences>;

/** The settings of the own user for channels: hidden, muted, pinned, archived. */
export const channelPreferences: Feature<ChannelPreferences> = {
  name: 'channel-preferences',
  create: createChannelPreferences,
};
