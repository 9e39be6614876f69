/** Rare changes of a channel, loaded when one is first made. */
import type { Channel, ChannelInput, MessageInput } from '@parley/protocol';
import { changeChannel } from '../../change-channel.ts';
import type { Core } from '../../core.ts';
import type { LateTools } from '../../late-tools.ts';

const defaultType = 'messaging';

export const createChannelChanges = (core: Core, tools: LateTools) => {
  const { http, store } = core;
  const updated = ({ channel, seq }: { channel: Channel; seq?: number }): Channel => {
    core.confirm({ type: 'channel.updated', cid: channel.cid, channel }, seq);
    return channel;
  };
  return {
    /** The one channel of exactly these people and the own user. */
    direct: async (
      memberIds: readonly string[],
      data: ChannelInput = {},
      type = defaultType,
    ): Promise<string> => {
      if (!Array.isArray(memberIds) || memberIds.length === 0) throw new Error(tools.membersMissing);
      const members = [...new Set([...memberIds, core.ownId()])];
      return tools.whileHolding(core, async (connectionId, gone) => {
        const isWatched = connectionId !== undefined;
        const body = tools.stateBody(core, { data: { ...data, members } }, isWatched);
        const reply = await http.call('POST /channels/{type}/query', { path: { type }, connectionId, body });
        return tools.takeSnapshot(core, reply, { requested: core.settings.pageSize, isWatched, gone });
      });
    },
    /** Replaces the data of a channel, optionally with a message about it. */
    update: async (cid: string, data: ChannelInput, message?: MessageInput): Promise<Channel> =>
      updated(await changeChannel(core, cid, { data }, message)),
    /** Changes some fields of a channel. */
    patch: async (cid: string, set: Record<string, unknown>, unset: string[] = []): Promise<Channel> => {
      const reply = await http.call('PATCH /channels/{type}/{id}', {
        cid,
        body: { set, unset },
      });
      return updated(reply);
    },
    /** Deletes a channel; `hard` removes it with its messages for good. */
    delete: async (cid: string, { hard = false } = {}): Promise<void> => {
      const query = hard ? { hard_delete: 'true' as const } : {};
      await http.call('DELETE /channels/{type}/{id}', { cid, query });
      store.remove(cid);
    },
    /** Ends the subscription to the events of a channel. */
    stopWatching: async (cid: string): Promise<void> => {
      core.ownId();
      const connectionId = await core.connectionId();
      core.store.remove(cid);
      if (connectionId === undefined) return;
      await core.http.call('POST /channels/{type}/{id}/stop-watching', {
        cid,
        connectionId,
        body: {},
      });
    },
    /** Removes all messages of a channel, optionally leaving one in their place. */
    truncate: async (cid: string, message?: MessageInput): Promise<void> => {
      const body = message ? { message } : {};
      await http.call('POST /channels/{type}/{id}/truncate', { cid, body });
    },
  };
};
