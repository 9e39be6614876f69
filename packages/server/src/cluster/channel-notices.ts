import type { TransientEvent } from '../bus/bus.ts';
import { transientEventJson, userEventJson } from '../events/event-json.ts';

const unwatched = 'notification.channel_unwatched';

/** The event for connections that follow a channel that is gone with its log: nobody knows more of it than its id. */
export const channelGone = (cid: string, now: string): TransientEvent => {
  const at = cid.indexOf(':');
  const channel = { cid, type: cid.slice(0, at), id: cid.slice(at + 1), deleted_at: now };
  const type = 'channel.deleted';
  return { kind: 'channel', cid, type, json: transientEventJson(type, cid, now, { channel }) };
};

/** The event for connections that watch a channel of which events were left out: they ask for it anew. */
export const channelBroken = (cid: string, now: string): TransientEvent => ({
  kind: 'channel',
  cid,
  type: unwatched,
  json: userEventJson(unwatched, now, {}, cid),
});
