import type { Thread } from '@parley/protocol';
import type { Core } from '../../core.ts';
import { createCell } from '../../readable.ts';
import { isPassing, pause, worldOf } from '../../retry.ts';
import { createMissed } from '../../sync/missed.ts';

export type ThreadListState = {
  status: 'idle' | 'loading' | 'ready' | 'error';
  threads: readonly Thread[];
  hasMore: boolean;
};

export type ThreadChange = (threads: readonly Thread[]) => readonly Thread[];

const noThreads: ThreadListState = { status: 'idle', threads: [], hasMore: false };

const idsOf = (threads: readonly Thread[]): Set<string> =>
  new Set(threads.map(({ parent_message_id }) => parent_message_id));

/** The pages of the inbox. What changes while a page is on its way is applied to it, too. */
export const createList = (core: Core) => {
  const { http } = core;
  const list = createCell(noThreads, core.batch);
  const missed = createMissed<readonly Thread[]>();
  /** The threads that had a reply since the first page was asked for: it must have them. */
  let raised = new Set<string>();
  let next: string | undefined;
  let turn = 0;
  const patch = (change: Partial<ThreadListState>): void => list.set({ ...list.get(), ...change });
  const change = (next: ThreadChange): void => {
    missed.note(next);
    const { threads } = list.get();
    const changed = next(threads);
    if (changed !== threads) patch({ threads: changed });
  };
  /** The load that was asked for last: an earlier one ends with it. */
  let latest: Promise<void> | undefined;
  /** Repeats what the network lost: after a reconnect the list would stay as it was before. */
  const ask = async (failures: number): Promise<void> => {
    turn += 1;
    const own = turn;
    raised = new Set();
    if (list.get().status !== 'ready') patch({ status: 'loading' });
    try {
      const { reply, catchUp } = await missed.during(() => http.call('POST /threads', { body: {} }));
      if (own !== turn) return latest;
      const threads = catchUp(reply.threads);
      const known = idsOf(threads);
      next = reply.next;
      list.set({ status: 'ready', threads, hasMore: next !== undefined });
      if ([...raised].some((id) => !known.has(id))) return load();
    } catch (error) {
      if (own !== turn) return latest;
      if (list.get().status !== 'ready') patch({ status: 'error' });
      if (isPassing(error))
        void pause(worldOf(core), failures).then(() => {
          if (own === turn) void load(failures + 1);
        });
    }
  };
  const load = (failures = 1): Promise<void> => {
    latest = ask(failures);
    return latest;
  };
  const loadMore = async (): Promise<void> => {
    const from = next;
    if (from === undefined) return;
    const own = turn;
    const { reply, catchUp } = await missed.during(() =>
      http.call('POST /threads', { body: { next: from } }),
    );
    // The list has begun anew, or has this page: it would leave a hole, or stand there twice.
    if (own !== turn || from !== next) return;
    next = reply.next;
    const known = idsOf(list.get().threads);
    const more = catchUp(reply.threads).filter((thread) => !known.has(thread.parent_message_id));
    patch({ threads: [...list.get().threads, ...more], hasMore: next !== undefined });
  };
  core.resets.push(() => {
    turn += 1;
    latest = undefined;
    next = undefined;
    list.set(noThreads);
  });
  return {
    list,
    load: () => load(),
    loadMore,
    change,
    /** Puts a thread with a new reply to the top; one that is not listed comes with the first page. */
    raise: (id: string, next: ThreadChange): void => {
      if (list.get().status === 'idle') return;
      raised.add(id);
      change(next);
      if (!idsOf(list.get().threads).has(id)) void load();
    },
  };
};
export type ThreadList = ReturnType<typeof createList>;
