import type { Message, Thread } from '@parley/protocol';
import { fromCid } from '../../cid.ts';
import type { ParleyClient } from '../../client.ts';
import { createBatch, createCell, type Readable, stopAll, type Unsubscribe } from '../../readable.ts';
import { isPassing, pause, persist } from '../../retry.ts';
import type { MessageRef } from '../../sync/state.ts';
import { afterReading, afterReply, afterUpdate } from './reducer.ts';

export type { Thread } from '@parley/protocol';

export type ThreadListState = {
  status: 'idle' | 'loading' | 'ready' | 'error';
  threads: readonly Thread[];
  hasMore: boolean;
};

export type Threads = {
  /** The threads one follows, the last answered first; empty until `load`. */
  list: Readable<ThreadListState>;
  /** How many of them have something unread. */
  unread: Readable<number>;
  /** Loads the first page of followed threads. */
  load(): Promise<void>;
  /** Loads the next page of followed threads. */
  loadMore(): Promise<void>;
  /** Loads one thread by its parent message. */
  get(messageId: string): Promise<Thread>;
  /** An empty title takes it away. */
  rename(messageId: string, title: string): Promise<Thread>;
  /** Marks a thread read. */
  markRead(cid: string, messageId: string): Promise<void>;
  /** Keeps the list live; returns its stop. */
  start(): Unsubscribe;
};

const createList = ({ http, on }: ParleyClient) => {
  const list = createCell<ThreadListState>({ status: 'idle', threads: [], hasMore: false }, createBatch());
  let next: string | undefined;
  let turn = 0;
  const patch = (change: Partial<ThreadListState>): void => list.set({ ...list.get(), ...change });
  /** What the network lost is asked for again by itself: after a reconnect the list would stay as it was before. */
  const load = async (failures = 1): Promise<void> => {
    turn += 1;
    const own = turn;
    if (list.get().status !== 'ready') patch({ status: 'loading' });
    try {
      const page = await http.call('POST /threads', { body: {} });
      if (own !== turn) return;
      next = page.next;
      list.set({ status: 'ready', threads: page.threads, hasMore: next !== undefined });
    } catch (error) {
      if (own !== turn) return;
      if (list.get().status !== 'ready') patch({ status: 'error' });
      if (isPassing(error))
        void pause({ ...http.wire.environment, on }, failures).then(() => {
          if (own === turn) void load(failures + 1);
        });
    }
  };
  const loadMore = async (): Promise<void> => {
    if (next === undefined) return;
    const own = turn;
    const page = await http.call('POST /threads', { body: { next } });
    if (own !== turn) return;
    next = page.next;
    const known = new Set(list.get().threads.map((thread) => thread.parent_message_id));
    const more = page.threads.filter((thread) => !known.has(thread.parent_message_id));
    patch({ threads: [...list.get().threads, ...more], hasMore: next !== undefined });
  };
  return { list, load: () => load(), loadMore, change: (threads: readonly Thread[]) => patch({ threads }) };
};

/** Threads that were read here and of which the server has not said so yet: the badge counts without them. */
const createReading = ({ http, me, on }: ParleyClient) => {
  const ids = createCell<ReadonlySet<string>>(new Set(), createBatch());
  const set = (id: string, isReading: boolean): void => {
    const next = new Set(ids.get());
    if (isReading) next.add(id);
    else next.delete(id);
    ids.set(next);
  };
  return {
    end: (id: string): void => set(id, false),
    clear: (): void => ids.set(new Set()),
    /** Marks a thread as read; what the network lost is sent again. */
    mark: async (
      { cid, id }: MessageRef,
      isUnread: boolean,
      lastReply: string | undefined,
    ): Promise<void> => {
      if (isUnread) set(id, true);
      const ownId = me.get()?.id;
      // A repeat may come hours later: replies that arrived meanwhile were not read.
      const body = { thread_id: id, ...(lastReply && { message_id: lastReply }) };
      const call = { path: fromCid(cid), body };
      try {
        await persist(
          { ...http.wire.environment, on },
          () => http.call('POST /channels/{type}/{id}/read', call),
          () => me.get()?.id === ownId,
        );
      } catch (error) {
        set(id, false);
        throw error;
      }
    },
    unread: {
      get: () => Math.max(0, (me.get()?.unread_threads ?? 0) - ids.get().size),
      subscribe: (listener: () => void) => stopAll([me.subscribe(listener), ids.subscribe(listener)]),
    },
  };
};

/** The inbox of threads of a client. */
export const createThreads = (client: ParleyClient): Threads => {
  const { http } = client;
  const { list, load, loadMore, change } = createList(client);
  const threads = () => list.get().threads;
  const isAsked = () => list.get().status !== 'idle';
  const reading = createReading(client);
  /** Takes a reply into its thread, or asks anew where the thread is not known yet. */
  const take = (message: Message, unread: number) => {
    if (!isAsked()) return;
    const next = afterReply(threads(), message, unread);
    if (next) change(next);
    else void load();
  };
  const start = (): Unsubscribe => {
    const stops = [
      client.on('notification.thread_message_new', ({ message, thread_id, unread_messages }) => {
        reading.end(thread_id);
        take(message, unread_messages);
      }),
      client.on('message.new', ({ message }) => {
        const isOwn = message.user?.id === client.me.get()?.id;
        if (message.parent_id !== undefined && isOwn) take(message, 0);
      }),
      client.on('notification.mark_read', ({ thread_id, unread_messages }) => {
        if (thread_id === undefined) return;
        reading.end(thread_id);
        change(afterReading(threads(), thread_id, unread_messages));
      }),
      client.on('thread.updated', ({ thread }) => change(afterUpdate(threads(), thread))),
      client.on('connection.recovered', () => {
        reading.clear();
        if (isAsked()) void load();
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  };
  return {
    ...{ list, load, loadMore, start },
    unread: reading.unread,
    get: async (messageId) => {
      const path = { message_id: messageId };
      return (await http.call('GET /threads/{message_id}', { path })).thread;
    },
    rename: async (messageId, title) => {
      const path = { message_id: messageId };
      const body = title === '' ? { unset: ['title'] } : { set: { title } };
      const reply = await http.call('PATCH /threads/{message_id}', { path, body });
      return reply.thread;
    },
    markRead: async (cid, messageId) => {
      const known = threads().find(({ parent_message_id }) => parent_message_id === messageId);
      change(afterReading(threads(), messageId));
      const shown = client.channels.state(cid).get()?.threads[messageId];
      const stored = (shown && !shown.hasNewer ? shown.messages : []).filter(
        ({ status }) => status === 'sent',
      );
      const isUnread = (known?.read?.unread_messages ?? 0) > 0;
      await reading.mark({ cid, id: messageId }, isUnread, stored.at(-1)?.id);
    },
  };
};
