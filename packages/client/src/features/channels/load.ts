import type { BodyOf, ChannelStateReply } from '@parley/protocol';
import type { ParleyError } from '@parley/protocol/errors';
import type { Core } from '../../core.ts';
import { isOtherLog } from '../../sync/gap.ts';
import { fromSnapshot } from '../../sync/snapshot.ts';
import type { ConfirmedChannel } from '../../sync/state.ts';

/** Open threads stay open when a fresh snapshot replaces the old one. */
const keepOpen = (fresh: ConfirmedChannel, known: ConfirmedChannel | undefined): ConfirmedChannel =>
  known
    ? { ...fresh, threads: known.threads, typing: known.typing, threadTyping: known.threadTyping }
    : fresh;

type SnapshotOptions = {
  /** The number of messages that was asked for. */
  requested: number;
  isWatched: boolean;
  /** The channels that one has left since the call was made. */
  gone: ReadonlySet<string>;
  /** Replaces a channel that is live, too: its log cannot be followed any more, or nothing is to be cached. */
  replacesLive?: boolean;
};

/** Puts the state of a reply into the store. A live channel keeps its loaded pages and follows its log instead. */
export const takeSnapshot = (core: Core, reply: ChannelStateReply, options: SnapshotOptions): string => {
  const { cid } = reply.channel;
  // The reply is from before.
  if (options.gone.has(cid)) return cid;
  const slot = core.store.find(cid);
  const known = slot?.confirmed;
  for (const listener of core.afterState) listener(reply);
  const isOther = isOtherLog(slot, reply);
  if (slot && known && !slot.isStale && !options.replacesLive && !isOther) {
    if (slot.seq < reply.seq) core.gap.catchUp([cid]).catch(() => {});
    return cid;
  }
  const from = slot?.seq ?? 0;
  const fresh = fromSnapshot(reply, { ownId: core.ownId(), users: core.users }, options.requested);
  const isTaken = core.gap.reset(cid, keepOpen(fresh, slot?.log === reply.log_id ? known : undefined), reply);
  core.store.setStale(cid, !options.isWatched);
  // The reply was older than what is known: the log has the rest.
  if (!isTaken) core.gap.catchUp([cid]).catch(() => {});
  if (known && (isOther || from !== reply.seq)) for (const listener of core.afterJump) listener(cid);
  return cid;
};

type StateBody = BodyOf<'POST /channels/{type}/{id}/query'>;
type LoadOptions = { data?: StateBody['data']; messageLimit?: number | undefined; replacesLive?: boolean };

export const stateBody = (
  core: Core,
  { data, messageLimit }: LoadOptions,
  isWatched: boolean,
): StateBody => ({
  watch: isWatched,
  state: true,
  presence: isWatched,
  messages: { limit: messageLimit ?? core.settings.pageSize },
  ...(data && { data }),
});

/** Listeners that call `left` when a channel was deleted, or the own user is no longer in it. */
export const leaving = (left: (cid: string) => void) => {
  const listener = ({ channel }: { channel: { cid: string } }) => left(channel.cid);
  return {
    'channel.deleted': listener,
    'notification.channel_deleted': listener,
    'notification.removed_from_channel': listener,
  };
};

/** Runs a query that may watch, and keeps early events of the channels in its reply. */
export const whileHolding = async <T>(
  core: Core,
  run: (connectionId: string | undefined, gone: ReadonlySet<string>) => Promise<T>,
): Promise<T> => {
  core.ownId();
  let id = await core.connectionId();
  const stopHolding = core.gap.hold();
  const gone = new Set<string>();
  const stopListening = core.events.listen(leaving((cid) => gone.add(cid)));
  try {
    for (;;) {
      const reply = await run(id, gone).catch(async (error: Partial<ParleyError>) => {
        if (error.details?.[0]?.path !== 'connection_id') throw error;
        // The server ended a connection whose socket still looks open here.
        id = await core.connectionId(id);
        return run(id, gone);
      });
      // The race is not to wait: a connection that is being made finds the channel in the store, and watches it.
      const now = await Promise.race([core.connectionId(), id]);
      if (!now || now === id) return reply;
      // The watch is with a connection that is over, and the next one was there before the channel was.
      id = now;
    }
  } finally {
    stopListening();
    stopHolding();
  }
};

/** Gets or makes a channel, watches it where there is a connection, and keeps its state. */
export const loadChannel = (core: Core, cid: string, options: LoadOptions = {}): Promise<string> =>
  whileHolding(core, async (connectionId, gone) => {
    const isWatched = connectionId !== undefined;
    const reply = await core.http.call('POST /channels/{type}/{id}/query', {
      cid,
      connectionId,
      body: stateBody(core, options, isWatched),
    });
    const requested = options.messageLimit ?? core.settings.pageSize;
    const { replacesLive = false } = options;
    return takeSnapshot(core, reply, { requested, isWatched, gone, replacesLive });
  });

/** Closes a gap that is older than the log: queries the channel again, or drops it if it may no longer be read. */
export const reloadChannel = async (core: Core, cid: string): Promise<void> => {
  await loadChannel(core, cid, { replacesLive: true }).catch((error: Error) => {
    if (!/^Not(Found|Allowed)$/.test(error.name)) throw error;
    core.store.remove(cid);
  });
};
