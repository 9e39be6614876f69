import type { Thread } from '@parley/protocol';
import type { Core } from '../../core.ts';
import { type Cell, createCell } from '../../readable.ts';
import { isPassing, pause, worldOf } from '../../retry.ts';
import { createMissed, type Missed } from '../../sync/missed.ts';

export type ThreadListState = {
  status: 'idle' | 'loading' | 'ready' | 'error';
  threads: readonly Thread[];
  hasMore: boolean;
};

type Threads = readonly Thread[];
export type ThreadChange = (threads: Threads) => Threads;

/** The inbox while it is kept live. */
type Inbox = {
  core: Core;
  list: Cell<ThreadListState>;
  missed: Missed<Threads>;
  /** The threads that had a reply since the first page was asked for: it must have them. */
  raised: Set<string>;
  /** Whether threads may have come or gone since the first page was asked for, in ways that only the server knows. */
  isOutdated: boolean;
  next: string | undefined;
  /** The number of the last load of the first page, which makes those before it void. */
  turn: number;
  /** The load that was asked for last, while it is under way: an earlier one ends with it. */
  latest: Promise<void> | undefined;
};

const noThreads: ThreadListState = { status: 'idle', threads: [], hasMore: false };

const idsOf = (threads: Threads): Set<string> =>
  new Set(threads.map(({ parent_message_id }) => parent_message_id));

const patch = ({ list }: Inbox, change: Partial<ThreadListState>): void =>
  list.set({ ...list.get(), ...change });

const change = (inbox: Inbox, next: ThreadChange): void => {
  inbox.missed.note(next);
  const { threads } = inbox.list.get();
  const changed = next(threads);
  if (changed !== threads) patch(inbox, { threads: changed });
};

/** Repeats what the network lost: after a reconnect the list would stay as it was before. */
const ask = async (inbox: Inbox, failures: number): Promise<void> => {
  const { core, list, missed } = inbox;
  const own = ++inbox.turn;
  inbox.raised = new Set();
  inbox.isOutdated = false;
  if (list.get().status !== 'ready') patch(inbox, { status: 'loading' });
  try {
    const { reply, catchUp } = await missed.during(() => core.http.call('POST /threads', { body: {} }));
    if (own !== inbox.turn) return inbox.latest;
    const threads = catchUp(reply.threads);
    inbox.next = reply.next;
    list.set({ status: 'ready', threads, hasMore: reply.next !== undefined });
    const known = idsOf(threads);
    if (inbox.isOutdated || [...inbox.raised].some((id) => !known.has(id))) return load(inbox);
  } catch (error) {
    if (own !== inbox.turn) return inbox.latest;
    if (list.get().status !== 'ready') patch(inbox, { status: 'error' });
    if (isPassing(error))
      void pause(worldOf(core), failures).then(() => {
        if (own === inbox.turn) void load(inbox, failures + 1);
      });
  } finally {
    if (own === inbox.turn) inbox.latest = undefined;
  }
};

const load = (inbox: Inbox, failures = 1): Promise<void> => {
  inbox.latest = ask(inbox, failures);
  return inbox.latest;
};

const loadMore = async (inbox: Inbox): Promise<void> => {
  const { core, list, missed, turn, next } = inbox;
  if (next === undefined) return;
  const { reply, catchUp } = await missed.during(() => core.http.call('POST /threads', { body: { next } }));
  // The list has begun anew, or has this page: it would leave a hole, or stand there twice.
  if (turn !== inbox.turn || next !== inbox.next) return;
  inbox.next = reply.next;
  const known = idsOf(list.get().threads);
  const more = catchUp(reply.threads).filter((thread) => !known.has(thread.parent_message_id));
  patch(inbox, { threads: [...list.get().threads, ...more], hasMore: reply.next !== undefined });
};

/** Asks for one thread, which stays in its place. */
const refresh = async ({ core, list, missed }: Inbox, id: string): Promise<void> => {
  const path = { message_id: id };
  const { reply, catchUp } = await missed.during(() => core.http.call('GET /threads/{message_id}', { path }));
  const [thread] = catchUp([reply.thread]);
  const known = list.get();
  const put = (one: Thread) => (thread && one.parent_message_id === id ? thread : one);
  list.set({ ...known, threads: known.threads.map(put) });
};

/** The pages of the inbox. What changes while a page is on its way is applied to it, too. */
export const createList = (core: Core) => {
  const inbox: Inbox = {
    ...{ core, list: createCell(noThreads, core.batch), missed: createMissed<Threads>() },
    ...{ raised: new Set(), isOutdated: false, next: undefined, turn: 0, latest: undefined },
  };
  const { list } = inbox;
  const isAsked = () => list.get().status !== 'idle';
  const restart = () => void (isAsked() && load(inbox));
  const reload = () => {
    if (inbox.latest) inbox.isOutdated = true;
    else restart();
  };
  core.resets.push(() => {
    inbox.turn += 1;
    inbox.latest = undefined;
    inbox.next = undefined;
    list.set(noThreads);
  });
  return {
    list,
    load: () => load(inbox),
    loadMore: () => loadMore(inbox),
    /** Loads the first page again, if the inbox was asked for; a page that is on its way is not taken. */
    restart,
    /** The same once that page has come: it may be from before. */
    reload,
    refresh: (id: string) => refresh(inbox, id),
    change: (next: ThreadChange) => change(inbox, next),
    /** Puts a thread with a new reply to the top; one that is not listed comes with the first page. */
    raise: (id: string, next: ThreadChange): void => {
      if (!isAsked()) return;
      inbox.raised.add(id);
      change(inbox, next);
      // A load that is under way asks again by itself if it misses the thread.
      if (!inbox.latest && !idsOf(list.get().threads).has(id)) reload();
    },
  };
};
export type ThreadList = ReturnType<typeof createList>;
