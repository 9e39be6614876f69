/** The first screen before there is a connection, as this device or an early reply knows it. */
import type { ChannelStateReply, OwnUser } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import type { Feature, FeatureCore } from '../../client.ts';
import { askQuietly } from '../../retry.ts';
import { fromSnapshot } from '../../sync/snapshot.ts';
import type { ConfirmedChannel } from '../../sync/state.ts';
import type { Slot } from '../../sync/store.ts';
import { asUser } from '../../sync/user-cache.ts';
import type { ChannelQuery } from './list.ts';

/** A channel of a kept screen. */
export type KeptChannel = ChannelStateReply & {
  /** Whether older messages exist on the server. */
  has_older: boolean;
  /** How many at the end were stored by the server, and are not known from its log yet: what it brings goes before them. */
  unsequenced?: number;
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
const endOf = ({ messages, hasNewer, hasOlder, tail, unsequenced }: ConfirmedChannel, count: number) => {
  if (hasNewer) return { messages: tail ? [tail] : [], has_older: true };
  return {
    messages: messages.slice(-count),
    has_older: hasOlder || messages.length > count,
    ...(unsequenced > 0 && { unsequenced: Math.min(unsequenced, count) }),
  };
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

/** The authors who are in no list of members: nobody else asks for what they changed, which is in no log. */
const authorsOutsideOf = (channels: readonly KeptChannel[]): string[] => {
  const ids = new Set(channels.flatMap(({ messages }) => messages.flatMap(({ user }) => user?.id ?? [])));
  for (const { members } of channels) for (const { user_id } of members) ids.delete(user_id);
  return [...ids].slice(0, limits.pageMax);
};

/** The channels that show how many have read a message of the own user: no log has the counts. */
const countedIn = (channels: readonly KeptChannel[], ownId: string): string[] =>
  channels.flatMap(({ channel, messages, read_counts }) =>
    read_counts && messages.some(({ user }) => user?.id === ownId) ? [channel.cid] : [],
  );

const askUsers = (core: FeatureCore, ids: string[]) =>
  askQuietly(core, 'Authors', async () => {
    const body = { filter: { id: { $in: ids } }, limit: ids.length };
    const { users } = await core.http.call('POST /users/query', { body });
    for (const user of users) core.users.refresh(user);
  });

const askCounts = (core: FeatureCore, cid: string) =>
  askQuietly(core, 'Counts', async () => {
    const body = { state: true, watch: false, members: { limit: 0 }, messages: { limit: 1 } };
    const { read_counts } = await core.http.call('POST /channels/{type}/{id}/query', { cid, body });
    if (read_counts) core.confirm({ type: 'channel.read_counts', cid, read_counts });
  });

const createKeptScreen = (core: FeatureCore): KeptScreen => {
  let otherAuthors: string[] = [];
  let counted: string[] = [];
  const forget = () => {
    otherAuthors = [];
    counted = [];
    core.lists.clear();
  };
  core.resets.push(forget);
  core.events.on('connection.recovered', () => {
    if (otherAuthors.length > 0) void askUsers(core, otherAuthors);
    for (const cid of counted) if (core.store.confirmed(cid)) void askCounts(core, cid);
    // A list that is opened later asks by itself.
    forget();
  });
  return {
    show: ({ me, query, cids, channels }) => {
      core.users.refresh(asUser(me));
      // This holds for a screen that was answered a moment ago, too: what changed until the connection is in no log.
      otherAuthors = authorsOutsideOf(channels);
      counted = countedIn(channels, me.id);
      for (const { has_older, unsequenced = 0, ...reply } of channels) {
        const requested = reply.messages.length + (has_older ? 0 : 1);
        const shown = fromSnapshot(reply, { ownId: me.id, users: core.users }, requested);
        core.gap.reset(reply.channel.cid, { ...shown, unsequenced }, reply);
      }
      const known = cids.filter((cid) => core.store.confirmed(cid));
      // Where no channel is known there is nothing that the log could bring up to date: the list asks at once.
      if (known.length > 0) core.lists.set(JSON.stringify(query), known);
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
