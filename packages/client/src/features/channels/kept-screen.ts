/** The entry `@parley/client/kept-screen`: the first screen before there is a connection, as this device or an early reply knows it. */
import type { ChannelStateReply, OwnUser } from '@parley/protocol';
import type { Feature, FeatureCore } from '../../client.ts';
import { fromSnapshot } from '../../sync/snapshot.ts';
import type { ConfirmedChannel } from '../../sync/state.ts';
import type { Slot } from '../../sync/store.ts';
import { asUser } from '../../sync/user-cache.ts';
import type { ChannelQuery } from './list.ts';

/** A channel of a kept screen. */
export type KeptChannel = ChannelStateReply & {
  /** Whether older messages exist on the server. */
  has_older: boolean;
};

/** A list of channels with their state, and the user who sees them. */
export type Screen = {
  me: OwnUser;
  /** The list, by the query that it answers. */
  query: ChannelQuery;
  cids: readonly string[];
  channels: readonly KeptChannel[];
};

export type ScreenOptions = {
  /** The channel that is open: more of its messages are kept. */
  open?: string | undefined;
  /** Messages of the open channel. Default 25. */
  page?: number;
  /** Messages of every other channel. Default 3. */
  preview?: number;
};

export type KeptScreen = {
  /** Shows a screen until the connection brings it up to date, by the log. To be called before the user connects. */
  show(screen: Screen): void;
  /** The screen of a list as it is now; undefined where nobody is connected. */
  take(query: ChannelQuery, cids: readonly string[], options?: ScreenOptions): Screen | undefined;
};

/** The messages at the end of a channel; one whose window is elsewhere has only its last. */
const endOf = ({ messages, hasNewer, hasOlder, tail }: ConfirmedChannel, count: number) => {
  if (hasNewer) return { messages: tail ? [tail] : [], has_older: true };
  return { messages: messages.slice(-count), has_older: hasOlder || messages.length > count };
};

const toKept = ({ confirmed, seq, log, at }: Slot, count: number): KeptChannel[] => {
  // Without the name of its log its numbers mean nothing later.
  if (!confirmed || log === undefined) return [];
  const { channel, members, membership, marks, pinned, lastNumber, readCounts, watcherCount } = confirmed;
  return [
    {
      ...{ channel, seq, log_id: log, last_number: lastNumber, watcher_count: watcherCount, watchers: [] },
      ...(membership && { membership }),
      ...(at && { seq_at: at }),
      ...(readCounts && { read_counts: readCounts }),
      members: [...members],
      read: marks.map((mark) => ({ ...mark, unread_messages: 0 })),
      pinned_messages: [...pinned],
      ...endOf(confirmed, count),
    },
  ];
};

const createKeptScreen = (core: FeatureCore): KeptScreen => {
  const forget = () => core.lists.clear();
  core.resets.push(forget);
  // A list that is opened later asks by itself.
  core.events.on('connection.recovered', forget);
  return {
    show: ({ me, query, cids, channels }) => {
      core.users.refresh(asUser(me));
      for (const { has_older, ...reply } of channels) {
        const requested = reply.messages.length + (has_older ? 0 : 1);
        core.gap.reset(
          reply.channel.cid,
          fromSnapshot(reply, { ownId: me.id, users: core.users }, requested),
          reply,
        );
      }
      // A list without channels has nothing that the log could bring up to date: it asks at once.
      if (cids.length > 0) core.lists.set(JSON.stringify(query), cids);
      core.me.set(me);
    },
    take: (query, cids, { open, page = 25, preview = 3 } = {}) => {
      const me = core.me.get();
      const wanted = new Set(open === undefined ? cids : [...cids, open]);
      return (
        me && {
          ...{ me, query, cids },
          channels: [...wanted].flatMap((cid) => {
            const slot = core.store.find(cid);
            return slot && !slot.isStale && !slot.isLost ? toKept(slot, cid === open ? page : preview) : [];
          }),
        }
      );
    },
  };
};

/** Draws the first screen before the connection, and brings it up to date like a screen that was offline for a while. */
export const keptScreen: Feature<KeptScreen> = { name: 'kept-screen', create: createKeptScreen };
