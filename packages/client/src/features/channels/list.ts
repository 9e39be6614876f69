import type { BodyOf, Message } from '@parley/protocol';
import type { Core } from '../../core.ts';
import { createCell, type Readable } from '../../readable.ts';
import { askQuietly, isPassing } from '../../retry.ts';
import { takeSnapshot, whileHolding } from './load.ts';

export type ChannelQuery = Pick<BodyOf<'POST /channels'>, 'filter' | 'sort' | 'limit'> & {
  messageLimit?: number;
  memberLimit?: number;
};

export type ChannelListState = {
  /** The list as this device knew it before, shown while it is loading. */
  cids: readonly string[];
  status: 'loading' | 'ready' | 'error';
  error?: Error;
  hasMore: boolean;
  isLoadingMore: boolean;
};

export type ChannelListHandle = Readable<ChannelListState> & {
  loadMore(): Promise<void>;
  refresh(): Promise<void>;
  /** Ends the list; it is no longer kept live. */
  stop(): void;
};

const newestFirst: NonNullable<ChannelQuery['sort']> = [{ field: 'last_updated', direction: -1 }];

const runQuery = (core: Core, query: ChannelQuery, page: { next?: string; limit?: number }) =>
  whileHolding(core, async (connectionId) => {
    const { messageLimit, memberLimit, ...rest } = query;
    const isWatched = connectionId !== undefined;
    const requested = messageLimit ?? core.settings.pageSize;
    const reply = await core.http.call('POST /channels', {
      connectionId,
      body: {
        ...rest,
        sort: query.sort ?? newestFirst,
        ...page,
        watch: isWatched,
        state: true,
        presence: isWatched,
        message_limit: requested,
        ...(memberLimit === undefined ? {} : { member_limit: memberLimit }),
      },
    });
    const channels = reply.channels;
    return {
      cids: channels.map((state) => takeSnapshot(core, state, { requested, isWatched })),
      next: reply.next,
    };
  });

/** A query that names a channel finds it hidden, too. */
const only = (query: ChannelQuery, cid: string): ChannelQuery => {
  const one = JSON.stringify(query.filter ?? {}).includes('"hidden":') ? { cid } : { cid, hidden: false };
  return { ...query, filter: query.filter ? { $and: [query.filter, one] } : one };
};

const toFront = (cids: readonly string[], cid: string): readonly string[] =>
  cids[0] === cid ? cids : [cid, ...cids.filter((known) => known !== cid)];

/** Moves a channel to the front of those that are not pinned; a pinned one stays where it is. */
const afterPinned =
  (isPinned: (cid: string) => boolean) =>
  (cids: readonly string[], cid: string): readonly string[] => {
    if (cids.includes(cid) && isPinned(cid)) return cids;
    return [
      ...cids.filter(isPinned),
      ...toFront(
        cids.filter((known) => !isPinned(known)),
        cid,
      ),
    ];
  };

const movesChannel = ({ parent_id, show_in_channel }: Message): boolean =>
  parent_id === undefined || show_in_channel === true;

type Change = (state: ChannelListState) => Partial<ChannelListState>;
type Live = {
  update(change: Change): void;
  get(): ChannelListState;
  isOver(): boolean;
  raise(cid: string): void;
  refresh(): void;
  /** How often a channel has come, gone or been put elsewhere: a reply to a question from before is of no use. */
  moves: number;
};

const drop = (live: Live, cid: string): void => {
  live.moves++;
  live.update((state) => (state.cids.includes(cid) ? { cids: state.cids.filter((id) => id !== cid) } : {}));
};

type Raise = (cids: readonly string[], cid: string) => readonly string[];

const enter = (live: Live, raise: Raise, cid: string): void => {
  if (!live.get().cids.includes(cid)) live.moves++;
  live.update(({ cids }) => ({ cids: raise(cids, cid) }));
};

/** Asks the server about one channel: whether it fits, and whether it still does. */
const createQuestions = (core: Core, query: ChannelQuery, live: Live) => {
  const asked = new Set<string>();
  const moved = new Map<string, number>();
  const ask = (cid: string, then: (isListed: boolean) => void): Promise<void> =>
    askQuietly(core, 'A list', async () => {
      if (live.isOver()) return;
      const { cids } = await runQuery(core, only(query, cid), { limit: 1 });
      if (!live.isOver()) then(cids.includes(cid));
    });
  return {
    /** The server decides whether a channel that is not listed fits the filter; a stale one comes back live. */
    consider: async (cid: string) => {
      if (asked.has(cid)) return;
      asked.add(cid);
      const at = live.moves;
      await ask(cid, (isListed) => {
        if (isListed && at === live.moves) live.raise(cid);
        else if (isListed) live.refresh();
      });
      asked.delete(cid);
    },
    /** The own user put the channel elsewhere: the server says whether it still belongs here, and in which place. */
    replace: async ({ cid }: { cid?: string }) => {
      if (cid === undefined) return;
      const at = ++live.moves;
      moved.set(cid, at);
      await ask(cid, (isListed) => {
        if (moved.get(cid) !== at) return;
        if (isListed) live.refresh();
        else drop(live, cid);
      });
    },
  };
};

/** How a channel comes to the front of a list of this order. */
const raiser = (core: Core, { sort = newestFirst }: ChannelQuery) => {
  const pinnedFirst = sort[0]?.field === 'pinned_at';
  const isPinned = (cid: string) => core.store.confirmed(cid)?.membership?.pinned_at !== undefined;
  return {
    byLastMessage: sort[pinnedFirst ? 1 : 0]?.field.startsWith('last_'),
    raise: pinnedFirst ? afterPinned(isPinned) : toFront,
  };
};

/** Keeps the order and the content of a list in step with the events. */
const follow = (core: Core, query: ChannelQuery, live: Live) => {
  const { byLastMessage } = raiser(core, query);
  const { consider, replace } = createQuestions(core, query, live);
  const isListed = (cid: string) => live.get().cids.includes(cid);
  const comes = (cid: string) => {
    if (!isListed(cid) || core.store.find(cid)?.isStale !== false) void consider(cid);
  };
  const arrived = ({ cid, message }: { cid?: string; message: Message }) => {
    const id = cid ?? message.cid;
    comes(id);
    if (isListed(id) && byLastMessage && movesChannel(message)) live.raise(id);
  };
  const added = ({ channel }: { channel: { cid: string } }) => comes(channel.cid);
  const dropped = ({ channel }: { channel: { cid: string } }) => drop(live, channel.cid);
  return core.events.listen({
    'message.new': arrived,
    'notification.message_new': arrived,
    'notification.added_to_channel': added,
    'notification.invited': added,
    'notification.invite_accepted': (event) => void replace(event),
    'notification.invite_rejected': (event) => void replace(event),
    'channel.hidden': (event) => void replace(event),
    'channel.visible': (event) => void replace(event),
    'member.updated': (event) => void (event.seq === undefined && replace(event)),
    'notification.removed_from_channel': dropped,
    'notification.channel_deleted': dropped,
    'channel.deleted': dropped,
    'connection.recovered': live.refresh,
  });
};

const unloaded = (cids: readonly string[] = []): ChannelListState => ({
  cids,
  status: 'loading',
  hasMore: false,
  isLoadingMore: false,
});

/** Pages loaded before stay below the fresh one, without what is gone from the store. */
const belowOf = ({ store }: Core, { cids }: ChannelListState, fresh: readonly string[]) =>
  cids.filter((cid) => !fresh.includes(cid) && store.confirmed(cid));

export const createChannelList = (core: Core, query: ChannelQuery): ChannelListHandle => {
  /** The list as this device kept it, until the first page is here. */
  let kept = core.lists.get(JSON.stringify(query));
  const state = createCell(unloaded(kept), core.batch);
  let next: string | undefined;
  let isOver = false;
  let lastRefresh = 0;
  const update = (change: Change) => state.set({ ...state.get(), ...change(state.get()) });
  const { raise } = raiser(core, query);
  const live: Live = {
    ...{ update, get: state.get, isOver: () => isOver, moves: 0 },
    raise: (cid) => enter(live, raise, cid),
    refresh: () => void refresh(),
  };
  const failed = (error: unknown) => {
    if (!isOver) update(() => ({ status: 'error', error: error as Error, isLoadingMore: false }));
  };

  const refresh = async (): Promise<void> => {
    const turn = ++lastRefresh;
    const load = async (): Promise<void> => {
      const at = live.moves;
      const page = isOver || turn !== lastRefresh ? undefined : await runQuery(core, query, {});
      if (!page || isOver || turn !== lastRefresh) return;
      if (at !== live.moves) return load();
      const { error: _, ...rest } = state.get();
      const below = page.next && !kept ? belowOf(core, rest, page.cids) : [];
      kept = undefined;
      if (rest.status !== 'ready' || !below[0]) next = page.next;
      state.set({ ...rest, cids: [...page.cids, ...below], status: 'ready', hasMore: !!next });
    };
    try {
      await load();
    } catch (error) {
      if (turn === lastRefresh) failed(error);
      if (isPassing(error)) void askQuietly(core, 'A list', load);
    }
  };
  const loadMore = async () => {
    if (next === undefined || state.get().isLoadingMore) return;
    update(() => ({ isLoadingMore: true }));
    try {
      const page = await runQuery(core, query, { next });
      if (isOver) return;
      next = page.next;
      update(({ cids }) => ({
        cids: [...cids, ...page.cids.filter((cid) => !cids.includes(cid))],
        hasMore: !!next,
        isLoadingMore: false,
      }));
    } catch (error) {
      failed(error);
    }
  };
  const stop = follow(core, query, live);
  // One that is known is refreshed once its channels are up to date.
  if (!kept) void refresh();
  return {
    ...{ get: state.get, subscribe: state.subscribe, loadMore, refresh },
    stop: () => {
      isOver = true;
      stop();
    },
  };
};
