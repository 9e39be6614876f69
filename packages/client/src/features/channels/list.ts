import type { BodyOf, Message } from '@parley/protocol';
import type { Core } from '../../core.ts';
import { type Cell, createCell, type Readable } from '../../readable.ts';
import { askQuietly, isPassing, persist, worldOf } from '../../retry.ts';
import { leaving, takeSnapshot, whileHolding } from './load.ts';

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
  /** Loads the next page, unless one is being loaded or there is none. */
  loadMore(): Promise<void>;
  /** Loads the list again from the start. */
  refresh(): Promise<void>;
  /** Ends the list; it is no longer kept live. */
  stop(): void;
};

const newestFirst: NonNullable<ChannelQuery['sort']> = [{ field: 'last_updated', direction: -1 }];

const runQuery = (core: Core, query: ChannelQuery, after?: string) =>
  whileHolding(core, async (connectionId, gone) => {
    const { messageLimit, memberLimit, ...rest } = query;
    const isWatched = connectionId !== undefined;
    const requested = messageLimit ?? core.settings.pageSize;
    const { channels, next } = await core.http.call('POST /channels', {
      connectionId,
      body: {
        ...rest,
        sort: query.sort ?? newestFirst,
        ...(after && { next: after }),
        watch: isWatched,
        state: true,
        presence: isWatched,
        message_limit: requested,
        ...(memberLimit === undefined ? {} : { member_limit: memberLimit }),
      },
    });
    return { cids: channels.map((state) => takeSnapshot(core, state, { requested, isWatched, gone })), next };
  });

/** A query that names a channel finds it hidden, too. */
const only = (query: ChannelQuery, cid: string): ChannelQuery => {
  const one = JSON.stringify(query.filter ?? {}).includes('"hidden":') ? { cid } : { cid, hidden: false };
  return { ...query, filter: query.filter ? { $and: [query.filter, one] } : one };
};

const movesChannel = ({ parent_id, show_in_channel }: Message): boolean =>
  parent_id === undefined || show_in_channel === true;

type Cids = ChannelListState['cids'];

/** A list while it is kept live. */
type Live = {
  readonly core: Core;
  readonly query: ChannelQuery;
  readonly state: Cell<ChannelListState>;
  /** Puts a channel to the front, of those that are not pinned where pinned ones come first. A pinned one stays where it is, and so does
   * a listed one where messages do not order the list. */
  readonly raise: (cids: Cids, cid: string) => Cids;
  /** The channels that were raised since a page was asked for: the page may be older, also than what shows one again. */
  readonly raised: Set<string>;
  /** How often a channel has come, gone or been put elsewhere: a reply to a question from before is of no use. */
  moves: number;
  /** How many pages are loaded, and where the next one begins. */
  pages: number;
  next: string | undefined;
  /** The number of the last refresh, which makes those before it void. */
  turn: number;
  isOver: boolean;
  /** Asks whether a channel that is not listed belongs here. */
  consider?: (cid: string) => void;
};

const update = ({ state }: Live, change: Partial<ChannelListState>): void =>
  state.set({ ...state.get(), ...change });

const cidsOf = ({ state }: Live): Cids => state.get().cids;

const isListed = (live: Live, cid: string): boolean => cidsOf(live).includes(cid);

const drop = (live: Live, cid: string): void => {
  live.moves++;
  if (isListed(live, cid)) update(live, { cids: cidsOf(live).filter((id) => id !== cid) });
};

const enter = (live: Live, cid: string): void => {
  if (!isListed(live, cid)) live.moves++;
  live.raised.delete(cid);
  live.raised.add(cid);
  const cids = live.raise(cidsOf(live), cid);
  if (cids !== cidsOf(live)) update(live, { cids });
};

const failed = (live: Live, error: unknown): void =>
  update(live, { status: 'error', error: error as Error, isLoadingMore: false });

/** The pages that are loaded, anew: a channel that left the list unseen would stay below the first one. */
const loadPages = async (live: Live, isVoid: () => boolean) => {
  const cids = new Set<string>();
  let next: string | undefined;
  let pages = 0;
  do {
    const page = await runQuery(live.core, live.query, next);
    for (const cid of page.cids) cids.add(cid);
    next = page.next;
  } while (next && ++pages < live.pages && !isVoid());
  return { cids, next };
};

const refresh = async (live: Live): Promise<void> => {
  const { core, state, raised } = live;
  const turn = ++live.turn;
  const isVoid = () => live.isOver || turn !== live.turn;
  const load = async (): Promise<void> => {
    // Several may wait for the same connection: only the last one asks.
    await core.connectionId();
    if (isVoid()) return;
    const at = live.moves;
    raised.clear();
    const { cids, next } = await loadPages(live, isVoid);
    if (isVoid()) return;
    if (at !== live.moves) return load();
    live.next = next;
    const inOrder = [...raised].filter((cid) => cids.has(cid)).reduce<Cids>(live.raise, [...cids]);
    const { isLoadingMore } = state.get();
    state.set({ cids: inOrder, status: 'ready', hasMore: !!next, isLoadingMore });
    for (const cid of raised) if (!cids.has(cid)) live.consider?.(cid);
  };
  try {
    await load();
  } catch (error) {
    if (!isVoid()) failed(live, error);
    if (isPassing(error)) void askQuietly(core, 'A list', load);
  }
};

/** The next page. One that the network lost is asked for again with growing pauses, so that whoever shows the list need not ask. */
const loadMore = async (live: Live): Promise<void> => {
  if (!live.next || live.state.get().isLoadingMore) return;
  update(live, { isLoadingMore: true });
  let at = 0;
  // The list may have been loaded anew during a pause.
  const ask = () => {
    at = live.moves;
    return runQuery(live.core, live.query, live.next);
  };
  try {
    const page = await persist(worldOf(live.core), ask, () => !live.isOver);
    live.next = page.next;
    live.pages++;
    const cids = [...new Set([...cidsOf(live), ...page.cids])];
    update(live, { cids, status: 'ready', hasMore: !!page.next, isLoadingMore: false });
    // The page may hold a channel that has gone since it was asked for.
    if (at !== live.moves) await refresh(live);
  } catch (error) {
    failed(live, error);
  }
};

/** Asks the server about one channel: whether it fits, and whether it still does. */
const createQuestions = (live: Live) => {
  const { core, query, raised } = live;
  /** The channels that are asked for now, and whether one has come again meanwhile: the reply may be from before. */
  const asked = new Map<string, boolean>();
  const moved = new Map<string, number>();
  const ask = (cid: string, then: (isFound: boolean) => void): Promise<void> =>
    askQuietly(core, 'A list', async () => {
      if (live.isOver) return;
      const { cids } = await runQuery(core, { ...only(query, cid), limit: 1 });
      if (!live.isOver) then(cids.includes(cid));
    });
  /** The server decides whether a channel that is not listed fits the filter; a stale one comes back live. */
  const consider = async (cid: string): Promise<void> => {
    const isAsked = asked.has(cid);
    asked.set(cid, isAsked);
    if (isAsked) return;
    const at = live.moves;
    await ask(cid, (isFound) => {
      if (!isFound) return;
      asked.set(cid, false);
      if (at === live.moves) enter(live, cid);
      else void refresh(live);
    });
    const isAgain = asked.get(cid);
    asked.delete(cid);
    if (isAgain) await consider(cid);
  };
  /** The own user put the channel elsewhere: the server says whether it still belongs here, and in which place. */
  const replace = ({ cid = '' }: { cid?: string }): void => {
    const at = ++live.moves;
    moved.set(cid, at);
    raised.delete(cid);
    void ask(cid, (isFound) => {
      if (moved.get(cid) !== at) return;
      if (isFound) void refresh(live);
      else if (raised.has(cid)) replace({ cid });
      else drop(live, cid);
    });
  };
  return { consider, replace };
};

const raiseIn = (core: Core, { sort = newestFirst }: ChannelQuery): Live['raise'] => {
  const pinnedFirst = sort[0]?.field === 'pinned_at';
  const byLastMessage = sort[pinnedFirst ? 1 : 0]?.field.startsWith('last_');
  const isPinned = (cid: string) =>
    pinnedFirst && core.store.confirmed(cid)?.membership?.pinned_at !== undefined;
  return (cids, cid) => {
    const others = cids.filter((known) => known !== cid);
    const pinned = others.filter(isPinned);
    // The same list where nothing moves: whoever draws it draws nothing.
    const stays = isPinned(cid) || !byLastMessage ? others.length < cids.length : cids[pinned.length] === cid;
    return stays ? cids : [...pinned, cid, ...others.filter((known) => !isPinned(known))];
  };
};

/** Keeps the order and the content of a list in step with the events. */
const follow = (live: Live) => {
  const { core } = live;
  const { consider, replace } = createQuestions(live);
  live.consider = consider;
  const comes = (cid: string) => {
    if (!isListed(live, cid) || core.store.find(cid)?.isStale !== false) void consider(cid);
  };
  const arrived = ({ cid, message }: { cid?: string; message: Message }) => {
    const id = cid ?? message.cid;
    comes(id);
    if (isListed(live, id) && movesChannel(message)) enter(live, id);
  };
  const added = ({ channel }: { channel: { cid: string } }) => comes(channel.cid);
  return core.events.listen({
    'message.new': arrived,
    'notification.message_new': arrived,
    'notification.added_to_channel': added,
    'notification.invited': added,
    'notification.invite_accepted': replace,
    'notification.invite_rejected': replace,
    'channel.hidden': replace,
    'channel.visible': replace,
    'member.updated': (event) => void (event.seq === undefined && replace(event)),
    ...leaving((cid) => drop(live, cid)),
    // The list does not wait until all channels are up to date: no event brings what changed before the connection.
    'connection.changed': (event) => void (event.state.status === 'online' && refresh(live)),
  });
};

export const createChannelList = (core: Core, query: ChannelQuery): ChannelListHandle => {
  const kept = core.lists.get(JSON.stringify(query)) ?? [];
  const state = createCell<ChannelListState>(
    { cids: kept, status: 'loading', hasMore: false, isLoadingMore: false },
    core.batch,
  );
  const live: Live = {
    core,
    query,
    state,
    raised: new Set(),
    raise: raiseIn(core, query),
    moves: 0,
    pages: 1,
    next: undefined,
    turn: 0,
    isOver: false,
  };
  const stop = follow(live);
  void refresh(live);
  return {
    get: state.get,
    subscribe: state.subscribe,
    loadMore: () => loadMore(live),
    refresh: () => refresh(live),
    stop: () => {
      live.isOver = true;
      stop();
    },
  };
};
