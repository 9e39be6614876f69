import type { Core } from '../../core.ts';
import { late } from '../../load-late.ts';
import type { LoadedThread } from '../../sync/state.ts';
import type { PageOptions } from './pages.ts';
import { changeThread } from './reducer.ts';

const noReplies: LoadedThread = {
  messages: [],
  unsequenced: 0,
  hasOlder: false,
  hasNewer: false,
  isLoading: true,
};

/** The replies of a thread, kept in `state.threads` while it is open. */
export const createReplies = (core: Core) => {
  const { store } = core;
  const { loadFirst, ...pages } = late(core, 'replies', 'loadFirst loadOlder loadNewer jumpTo');
  const begin = async (cid: string, parentId: string, options?: PageOptions): Promise<void> => {
    store.update(cid, (state) => ({ ...state, threads: { ...state.threads, [parentId]: noReplies } }));
    try {
      await loadFirst(cid, parentId, options);
    } finally {
      // The file that loads replies may have failed to load.
      store.update(cid, (state) => ({
        ...state,
        threads: changeThread(state, parentId, (thread) => ({ ...thread, isLoading: false })),
      }));
    }
  };
  return {
    ...pages,
    /** Loads a thread and keeps it up to date until it is stopped. */
    open: async (cid: string, parentId: string, options?: PageOptions): Promise<void> => {
      core.ownId();
      if (!store.confirmed(cid)?.threads[parentId]) await begin(cid, parentId, options);
    },
    /** The open threads of a channel anew: events of theirs were passed over. */
    reload: async (cid: string): Promise<void> => {
      for (const parentId of Object.keys(store.confirmed(cid)?.threads ?? {})) await begin(cid, parentId);
    },
    /** Drops the replies of a thread that is no longer shown. */
    stop: (cid: string, parentId: string) =>
      store.update(cid, (state) => {
        const { [parentId]: _, ...threads } = state.threads;
        return { ...state, threads };
      }),
  };
};
