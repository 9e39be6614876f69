import type { ChannelStateReply, Message, MessageWindow } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { fromCid } from '../../cid.ts';
import type { Core } from '../../core.ts';
import { internReply } from '../../sync/snapshot.ts';
import type { ConfirmedChannel, LoadedThread, VisibleMessage } from '../../sync/state.ts';
import { appendPage, findMessage, prependPage } from '../../sync/timeline.ts';
import { changeThread } from './reducer.ts';

export type PageOptions = { limit?: number };

const maxTries = 3;

/** A page that is older than the events already applied would miss them: it is asked for again. */
const fetchWindow = async (
  core: Core,
  cid: string,
  messages: MessageWindow,
): Promise<readonly VisibleMessage[]> => {
  for (let tries = 1; ; tries += 1) {
    const reply = (await core.http.call('POST /channels/{type}/{id}/query', {
      path: fromCid(cid),
      body: { state: true, watch: false, members: { limit: 0 }, messages },
    })) as ChannelStateReply;
    const isBehind = reply.seq < (core.store.find(cid)?.seq ?? 0);
    if (!isBehind || tries >= maxTries) return internReply(reply.messages, cid, core.users);
  }
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

export const createPages = (core: Core) => {
  const { store, settings } = core;
  const cap = settings.windowSize;
  const replaceWindow = (
    cid: string,
    page: readonly VisibleMessage[],
    edges: { hasOlder: boolean; hasNewer: boolean },
  ) => store.update(cid, (state) => ({ ...state, ...edges, messages: page, unsequenced: 0 }));

  const loadOlder = async (cid: string, { limit = settings.pageSize }: PageOptions = {}): Promise<void> =>
    once(core, `older ${cid}`, async (release) => {
      core.ownId();
      const first = store.confirmed(cid)?.messages[0];
      if (!first || !store.confirmed(cid)?.hasOlder) return;
      await flagged(core, { cid, flag: 'isLoadingOlder', release }, async () => {
        const page = await fetchWindow(core, cid, { limit, id_lt: first.id });
        store.update(cid, (state) =>
          state.messages[0]?.id === first.id
            ? prependPage(state, page, { hasOlder: page.length >= limit, cap })
            : state,
        );
      });
    });

  const loadNewer = async (cid: string, { limit = settings.pageSize }: PageOptions = {}): Promise<void> =>
    once(core, `newer ${cid}`, async (release) => {
      core.ownId();
      const last = store.confirmed(cid)?.messages.at(-1);
      if (!last || !store.confirmed(cid)?.hasNewer) return;
      await flagged(core, { cid, flag: 'isLoadingNewer', release }, async () => {
        const page = await fetchWindow(core, cid, { limit, id_gt: last.id });
        store.update(cid, (state) =>
          state.messages.at(-1)?.id === last.id
            ? appendPage(state, page, { hasNewer: page.length >= limit, cap })
            : state,
        );
      });
    });

  const startJump = createTurns();

  /** Shows the window around a message, or the newest one. What is loaded already is not loaded again. */
  const jumpTo = async (
    cid: string,
    target: string,
    { limit = settings.pageSize }: PageOptions = {},
  ): Promise<void> => {
    core.ownId();
    const state = store.confirmed(cid);
    if (!state) return;
    const isCurrent = startJump(cid);
    if (target === 'latest') {
      if (!state.hasNewer) return;
      const page = await fetchWindow(core, cid, { limit });
      if (!isCurrent()) return;
      return replaceWindow(cid, page, { hasOlder: page.length >= limit, hasNewer: false });
    }
    if (findMessage(state.messages, target)) return;
    const page = await fetchWindow(core, cid, { limit, id_around: target });
    if (!isCurrent()) return;
    replaceWindow(cid, page, {
      hasOlder: page[0]?.id !== target,
      hasNewer: !isNewest(page, store.confirmed(cid) ?? state),
    });
  };

  return { loadOlder, loadNewer, jumpTo };
};

/** The replies of a thread, kept in `state.threads` while it is open. */
export const createReplies = (core: Core) => {
  const { store, http, users, settings } = core;
  const change = (cid: string, parentId: string, next: (thread: LoadedThread) => LoadedThread) =>
    store.update(cid, (state) => ({ ...state, threads: changeThread(state, parentId, next) }));
  const fetchReplies = async (cid: string, parentId: string, query: { limit: string; id_lt?: string }) => {
    const reply = await http.call('GET /messages/{id}/replies', { path: { id: parentId }, query });
    return internReply(reply.messages as Message[], cid, users);
  };
  const load = (cid: string, parentId: string, limit: number, before?: string) =>
    once(core, `replies ${parentId}`, async () => {
      change(cid, parentId, (thread) => ({ ...thread, isLoading: true }));
      try {
        const query = { limit: String(limit), ...(before ? { id_lt: before } : {}) };
        const page = await fetchReplies(cid, parentId, query);
        const edges = { hasOlder: page.length >= limit, cap: settings.windowSize };
        change(cid, parentId, (thread) => prependPage(thread, page, edges));
      } finally {
        change(cid, parentId, (thread) => ({ ...thread, isLoading: false }));
      }
    });
  const empty: LoadedThread = {
    messages: [],
    unsequenced: 0,
    hasOlder: false,
    hasNewer: false,
    isLoading: true,
  };
  return {
    open: async (cid: string, parentId: string, { limit = limits.repliesDefault }: PageOptions = {}) => {
      core.ownId();
      if (store.confirmed(cid)?.threads[parentId]) return;
      store.update(cid, (state) => ({ ...state, threads: { ...state.threads, [parentId]: empty } }));
      await load(cid, parentId, limit);
    },
    loadOlder: async (cid: string, parentId: string, { limit = limits.repliesDefault }: PageOptions = {}) => {
      core.ownId();
      const thread = store.confirmed(cid)?.threads[parentId];
      if (thread?.hasOlder) await load(cid, parentId, limit, thread.messages[0]?.id);
    },
    /** The open threads of a channel anew: events of theirs were passed over. */
    reload: async (cid: string) => {
      for (const parentId of Object.keys(store.confirmed(cid)?.threads ?? {})) {
        store.update(cid, (state) => ({ ...state, threads: { ...state.threads, [parentId]: empty } }));
        await load(cid, parentId, limits.repliesDefault);
      }
    },
    close: (cid: string, parentId: string) =>
      store.update(cid, (state) => {
        const { [parentId]: _, ...threads } = state.threads;
        return { ...state, threads };
      }),
  };
};
