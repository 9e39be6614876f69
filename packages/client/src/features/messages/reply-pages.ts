import type { Core } from '../../core.ts';
import type { LateTools } from '../../late-tools.ts';
import type { LoadedThread, VisibleMessage } from '../../sync/state.ts';
import type { PageOptions } from './pages.ts';

type RepliesQuery = { limit: string; id_lt?: string; id_gt?: string; id_around?: string };
type ThreadPlace = { cid: string; parentId: string };
type Take = (thread: LoadedThread, page: readonly VisibleMessage[]) => LoadedThread;

/** Loads one page of replies into its thread, one at a time. */
const createRepliesLoad = (core: Core, { once, loadPage, changeThread }: LateTools) => {
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
          (await http.call('GET /messages/{id}/replies', { path: { id: parentId }, query })).messages;
        await loadPage(core, cid, read, (page) => change((thread) => take(thread, page)));
      } finally {
        change((thread) => ({ ...thread, isLoading: false }));
      }
    });
  };
};

export const createReplyPages = (core: Core, tools: LateTools) => {
  const { store, settings } = core;
  const { appendPage, prependPage, endOf, findMessage, isBehind, repliesDefault: limit } = tools;
  const load = createRepliesLoad(core, tools);
  const cap = settings.windowSize;
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
  const loadNewer = async (cid: string, parentId: string): Promise<void> => {
    const thread = find(cid, parentId);
    const last = thread?.messages.at(-1)?.id;
    if (!thread?.hasNewer || last === undefined) return;
    await load({ cid, parentId }, { limit: String(limit), id_gt: last }, (now, page) =>
      now.messages.at(-1)?.id === last ? appendPage(now, page, { hasNewer: page.length >= limit, cap }) : now,
    );
  };
  return {
    loadFirst: (cid: string, parentId: string, { limit: most = limit }: PageOptions = {}): Promise<void> =>
      loadOlder({ cid, parentId }, most),
    /** Loads the replies before those that are loaded. */
    loadOlder: async (
      cid: string,
      parentId: string,
      { limit: most = limit }: PageOptions = {},
    ): Promise<void> => {
      const thread = find(cid, parentId);
      if (thread?.hasOlder) await loadOlder({ cid, parentId }, most, thread.messages[0]?.id);
    },
    /** Loads the replies after those that are loaded. */
    loadNewer,
    /** Shows the replies around one of them, or the newest. What is loaded already is not loaded again. */
    jumpTo: async (cid: string, parentId: string, target: string): Promise<void> => {
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
  };
};
