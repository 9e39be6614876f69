/** Asks for the rights and marks of the own user, in a file that is loaded when an event first changes them. */
import type { ChannelStateReply } from '@parley/protocol';
import type { Core } from '../../core.ts';
import type { LateTools } from '../../late-tools.ts';

const maxTries = 3;

/** The reply is older than an event that changed what the own user may do. */
const isOutdated = ({ store }: Core, { channel, seq }: ChannelStateReply): boolean => {
  const slot = store.find(channel.cid);
  const known = slot?.confirmed?.channel;
  if (!slot || !known || seq >= slot.seq) return false;
  return channel.frozen !== known.frozen || channel.disabled !== known.disabled;
};

export const createOwnCalls = (core: Core, { takeOwn }: LateTools) => ({
  ask: async (cid: string): Promise<void> => {
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const body = { state: false, watch: false };
      const reply = await core.http.call('POST /channels/{type}/{id}/query', { cid, body });
      if (tries < maxTries && isOutdated(core, reply)) continue;
      return takeOwn(core, reply);
    }
  },
});
