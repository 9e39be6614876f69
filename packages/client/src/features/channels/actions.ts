import type { ChannelInput } from '@parley/protocol';
import { toCid } from '../../cid.ts';
import type { Core } from '../../core.ts';
import type { Readable, Unsubscribe } from '../../readable.ts';
import { askQuietly } from '../../retry.ts';
import type { ChannelState } from '../../sync/state.ts';
import { type ChannelListHandle, type ChannelQuery, createChannelList } from './list.ts';
import { leaving, loadChannel, reloadChannel } from './load.ts';

export type OpenOptions = { messageLimit?: number };

const createOpening = (core: Core) => {
  const opening = new Map<string, Promise<string>>();
  const load = (cid: string, data?: ChannelInput, options: OpenOptions = {}): Promise<string> => {
    const running = opening.get(cid);
    if (running) return running;
    const started = loadChannel(core, cid, {
      ...(data && { data }),
      ...options,
      replacesLive: core.settings.disableCache,
    }).finally(() => opening.delete(cid));
    opening.set(cid, started);
    return started;
  };
  const isLive = (cid: string): boolean => {
    const slot = core.store.find(cid);
    return slot?.confirmed !== undefined && !slot.isStale;
  };
  return {
    /** Gets or makes a channel and keeps it live; resolves to its cid. One that is live already is not asked for again. */
    open: async (
      type: string,
      id: string,
      data?: ChannelInput,
      options: OpenOptions = {},
    ): Promise<string> => {
      const cid = toCid(type, id);
      core.ownId();
      return isLive(cid) && !data && !core.settings.disableCache ? cid : load(cid, data, options);
    },
    /** Loads a channel and subscribes to its events. */
    watch: async (cid: string): Promise<string> => (isLive(cid) ? cid : load(cid)),
  };
};

export const createChannels = (core: Core) => {
  const { store } = core;
  return {
    ...createOpening(core),
    /** A live list of channels; call its `stop` when it is no longer shown. */
    list: (query: ChannelQuery = {}): ChannelListHandle => createChannelList(core, query),
    /** The state of a channel, as it is now and whenever it changes. */
    state: (cid: string): Readable<ChannelState | undefined> => store.readable(cid),
    active: store.active,
  };
};

/** Forgets channels that the user may no longer see; returns its stop. */
export const followChannels = (core: Core): Unsubscribe => {
  return core.events.listen({
    ...leaving(core.store.remove),
    'notification.channel_unwatched': ({ cid = '' }) => {
      if (!core.store.confirmed(cid)) return;
      core.store.setStale(cid, true);
      void askQuietly(core, 'A channel', () => reloadChannel(core, cid));
    },
  });
};
