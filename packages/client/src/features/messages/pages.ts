import type { Message, MessageWindow, ServerEvent } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { fromCid } from '../../cid.ts';
import type { Confirmed, Core } from '../../core.ts';
import { internReply } from '../../sync/snapshot.ts';
import type { ConfirmedChannel, LoadedThread, VisibleMessage } from '../../sync/state.ts';
import { appendPage, endOf, findMessage, isBehind, keepNewest, prependPage } from '../../sync/timeline.ts';
import { changeThread } from './reducer.ts';

export type PageOptions = { limit?: number };

/** What changes messages that are loaded, and can be applied twice. */
const changesMessages = /^(message\.(upd|delet|und)|react|poll|live)|own_votes/;

/**
 * Reads a page and puts it in its place. It may have been read before events that came meanwhile: they are applied to
 * it, too, or a text that was deleted would come back.
 */
const loadPage = async (
  core: Core,
  cid: string,
  read: () => Promise<readonly Message[]>,
  put: (page: readonly VisibleMessage[]) => void,
): Promise<void> => {
  const heard: ServerEvent[] = [];
  let isTruncated = false;
  const stop = core.events.on('all', (event) => {
    if (!('cid' in event) || event.cid !== cid) return;
    if (event.type === 'channel.truncated') isTruncated = true;
    if (changesMessages.test(event.type)) heard.push(event as ServerEvent);
  });
  try {
    let messages: readonly Message[];
    do {
      isTruncated = false;
      messages = await read();
    } while (isTruncated);
    put(internReply(messages, cid, core.users));
    for (const event of heard) core.confirm(event as Confirmed);
  } finally {
    stop();
  }
};

const loadWindow = (
  core: Core,
  cid: string,
  messages: MessageWindow,
  put: (page: readonly VisibleMessage[]) => void,
): Promise<void> => {
  const body = { state: true, watch: false, members: { limit: 0 }, messages };
  const path = fromCid(cid);
  const read = async () =>
    (await core.http.call('POST /channels/{type}/{id}/query', { path, body })).messages as Message[];
  return loadPage(core, cid, read, put);
};

const loadsNow = new WeakMap<Core, Map<string, Promise<void>>>();

/** One load per list and direction at a time: a second call waits for the first. */
const once = (core: Core, key: string, run: (release: () => void) => Promise<void>): Promise<void> => {
  const running = loadsNow.get(core) ?? new Map<string, Promise<void>>();
  loadsNow.set(core, running);
  const known = running.get(key);
  if (known) return known;
  const release = () => {
    if (running.get(key) === started) running.delete(key);
  };
  const started: Promise<void> = Promise.resolve()
    .then(() => run(release))
    .finally(release);
  running.set(key, started);
  return started;
};

type Load = { cid: string; flag: 'isLoadingOlder' | 'isLoadingNewer'; release: () => void };

const flagged = async (core: Core, { cid, flag, release }: Load, run: () => Promise<void>) => {
  core.store.update(cid, (state) => ({ ...state, [flag]: true }));
  try {
    await run();
  } finally {
    // Whoever sees the load end may ask for the next page at once.
    release();
    core.store.update(cid, (state) => ({ ...state, [flag]: false }));
  }
};

const isNewest = (page: readonly VisibleMessage[], { channel }: ConfirmedChannel): boolean =>
  (page.at(-1)?.created_at ?? '') >= (channel.last_message_at ?? '');

/** Of two jumps only the later one shows, whichever reply comes first. */
const createTurns = () => {
  const turns = new Map<string, number>();
  return (cid: string): (() => boolean) => {
    const mine = (turns.get(cid) ?? 0) + 1;
    turns.set(cid, mine);
    return () => turns.get(cid) === mine;
  };
};

const replaceWindow = (
  { store }: Core,
  cid: string,
  page: readonly VisibleMessage[],
  edges: { hasOlder: boolean; hasNewer: boolean },
): void =>
  store.update(cid, (state) => ({
    ...state,
    hasOlder: edges.hasOlder,
    ...endOf(state, edges.hasNewer || isBehind(page, state)),
    messages: page,
    unsequenced: 0,
  }));

/** Loads the page beyond one edge of the window, unless the edge has moved when the page comes. */
const loadBeyond = (core: Core, cid: string, isOlder: boolean, options: PageOptions = {}): Promise<void> =>
  once(core, `${isOlder} ${cid}`, async (release) => {
    core.ownId();
    const { pageSize, windowSize: cap } = core.settings;
    const limit = options.limit ?? pageSize;
    const edgeOf = (state: ConfirmedChannel | undefined) => state?.messages.at(isOlder ? 0 : -1);
    const state = core.store.confirmed(cid);
    const edge = edgeOf(state);
    if (!edge || !state?.[isOlder ? 'hasOlder' : 'hasNewer']) return;
    const window = isOlder ? { limit, id_lt: edge.id } : { limit, id_gt: edge.id };
    await flagged(core, { cid, flag: isOlder ? 'isLoadingOlder' : 'isLoadingNewer', release }, () =>
      loadWindow(core, cid, window, (page) => {
        const isMore = page.length >= limit;
        core.store.update(cid, (now) => {
          if (edgeOf(now)?.id !== edge.id) return now;
          return isOlder
            ? prependPage(now, page, { hasOlder: isMore, cap })
            : appendPage(now, page, { hasNewer: isMore, cap });
        });
      }),
    );
  });

const keptOnLeave = 50;

export const createPages = (core: Core) => {
  const { store, settings } = core;
  const loadOlder = (cid: string, options?: PageOptions): Promise<void> =>
    loadBeyond(core, cid, true, options);
  const loadNewer = (cid: string, options?: PageOptions): Promise<void> =>
    loadBeyond(core, cid, false, options);

  const startJump = createTurns();

  /** Shows the window around a message or a time, or the newest one. What is loaded already is not loaded again. */
  const jumpTo = async (
    cid: string,
    target: string | { at: string },
    { limit = settings.pageSize }: PageOptions = {},
  ): Promise<void> => {
    core.ownId();
    const state = store.confirmed(cid);
    if (!state) return;
    const isCurrent = startJump(cid);
    if (target === 'latest') {
      if (!state.hasNewer) return;
      await loadWindow(core, cid, { limit }, (page) => {
        if (isCurrent()) replaceWindow(core, cid, page, { hasOlder: page.length >= limit, hasNewer: false });
      });
      // What came while the page was on its way belongs to the end, too.
      return loadNewer(cid);
    }
    const isTime = typeof target === 'object';
    if (!isTime && findMessage(state.messages, target)) return;
    const place = isTime ? { created_at_around: target.at } : { id_around: target };
    await loadWindow(core, cid, { limit, ...place }, (page) => {
      if (!isCurrent()) return;
      replaceWindow(core, cid, page, {
        hasOlder: page[0]?.id !== target,
        hasNewer: !isNewest(page, store.confirmed(cid) ?? state),
      });
    });
  };

  /** For who leaves a channel at its end: what lies far above comes back when it is scrolled to. */
  const release = (cid: string): void =>
    store.update(cid, (state) => (state.hasNewer ? state : keepNewest(state, keptOnLeave)));

  return { loadOlder, loadNewer, jumpTo, release };
};

type RepliesQuery = { limit: string; id_lt?: string; id_gt?: string; id_around?: string };
type ThreadPlace = { cid: string; parentId: string };
type Take = (thread: LoadedThread, page: readonly VisibleMessage[]) => LoadedThread;

/** Loads one page of replies into its thread, one at a time. */
const createRepliesLoad = (core: Core) => {
  const { store, http } = core;
  return ({ cid, parentId }: ThreadPlace, query: RepliesQuery, take: Take) => {
    const change = (next: (thread: LoadedThread) => LoadedThread) =>
      store.update(cid, (state) => ({ ...state, threads: changeThread(state, parentId, next) }));
    // A jump goes its own way: one that waits for a page would be taken for it.
    const isPage = query.id_lt !== undefined || query.id_gt !== undefined;
    const key = isPage ? 'replies' : `window ${query.id_around ?? ''}`;
    return once(core, `${key} ${parentId}`, async () => {
      change((thread) => ({ ...thread, isLoading: true }));
      try {
        const read = async () =>
          (await http.call('GET /messages/{id}/replies', { path: { id: parentId }, query }))
            .messages as Message[];
        await loadPage(core, cid, read, (page) => change((thread) => take(thread, page)));
      } finally {
        change((thread) => ({ ...thread, isLoading: false }));
      }
    });
  };
};

const noReplies: LoadedThread = {
  messages: [],
  unsequenced: 0,
  hasOlder: false,
  hasNewer: false,
  isLoading: true,
};

/** The replies of a thread, kept in `state.threads` while it is open. */
export const createReplies = (core: Core) => {
  const { store, settings } = core;
  const load = createRepliesLoad(core);
  const cap = settings.windowSize;
  const limit = limits.repliesDefault;
  const find = (cid: string, parentId: string): LoadedThread | undefined => {
    core.ownId();
    return store.confirmed(cid)?.threads[parentId];
  };
  const loadOlder = (place: ThreadPlace, most: number, before?: string) =>
    load(place, { limit: String(most), ...(before && { id_lt: before }) }, (thread, page) =>
      // A jump may have come between: what was asked for then belongs to another window. What came while the first
      // page was on its way follows it.
      (before === undefined ? !thread.hasNewer : thread.messages[0]?.id === before)
        ? prependPage(thread, page, { hasOlder: page.length >= most, cap })
        : thread,
    );
  const begin = ({ cid, parentId }: ThreadPlace, most: number) => {
    store.update(cid, (state) => ({ ...state, threads: { ...state.threads, [parentId]: noReplies } }));
    return loadOlder({ cid, parentId }, most);
  };
  const loadNewer = async (cid: string, parentId: string) => {
    const thread = find(cid, parentId);
    const last = thread?.messages.at(-1)?.id;
    if (!thread?.hasNewer || last === undefined) return;
    await load({ cid, parentId }, { limit: String(limit), id_gt: last }, (now, page) =>
      now.messages.at(-1)?.id === last ? appendPage(now, page, { hasNewer: page.length >= limit, cap }) : now,
    );
  };
  return {
    open: async (cid: string, parentId: string, { limit: most = limit }: PageOptions = {}) => {
      if (!find(cid, parentId)) await begin({ cid, parentId }, most);
    },
    loadOlder: async (cid: string, parentId: string, { limit: most = limit }: PageOptions = {}) => {
      const thread = find(cid, parentId);
      if (thread?.hasOlder) await loadOlder({ cid, parentId }, most, thread.messages[0]?.id);
    },
    loadNewer,
    /** Shows the replies around one of them, or the newest. What is loaded already is not loaded again. */
    jumpTo: async (cid: string, parentId: string, target: string) => {
      const thread = find(cid, parentId);
      const isLatest = target === 'latest';
      if (!thread || (isLatest ? !thread.hasNewer : findMessage(thread.messages, target))) return;
      const query = { limit: String(limit), ...(isLatest ? {} : { id_around: target }) };
      await load({ cid, parentId }, query, (now, messages) => ({
        ...now,
        messages,
        unsequenced: 0,
        hasOlder: !isLatest || messages.length >= limit,
        ...endOf(now, !isLatest || isBehind(messages, now)),
      }));
      if (isLatest) await loadNewer(cid, parentId);
    },
    /** The open threads of a channel anew: events of theirs were passed over. */
    reload: async (cid: string) => {
      for (const parentId of Object.keys(store.confirmed(cid)?.threads ?? {}))
        await begin({ cid, parentId }, limit);
    },
    close: (cid: string, parentId: string) =>
      store.update(cid, (state) => {
        const { [parentId]: _, ...threads } = state.threads;
        return { ...state, threads };
      }),
  };
};
