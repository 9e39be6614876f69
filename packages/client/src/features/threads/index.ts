/** The entry `@parley/client/threads`: the threads that the own user follows. */
import type { Message, Thread } from '@parley/protocol';
import { fromCid } from '../../cid.ts';
import type { Feature, FeatureCore } from '../../client.ts';
import type { Core } from '../../core.ts';
import { createCell, type Readable, stopAll } from '../../readable.ts';
import { askQuietly, persist, worldOf } from '../../retry.ts';
import { followMessages } from '../../sync/held-messages.ts';
import type { MessageRef } from '../../sync/state.ts';
import { leaving } from '../channels/load.ts';
import type { ThreadMarks } from '../reads/thread-marks.ts';
import { unreadTotal } from '../reads/total.ts';
import { createList, type ThreadList, type ThreadListState } from './list.ts';
import { afterMessages, afterReading, afterReply, afterUpdate, isShort } from './reducer.ts';

export type { Thread } from '@parley/protocol';
export type { ThreadListState } from './list.ts';

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
};

/** Threads that were read here and that the server has not confirmed as read: the badge does not count them. */
const createReading = (core: Core, marks: Readable<ThreadMarks | undefined>) => {
  const { http, me } = core;
  const ids = createCell<ReadonlySet<string>>(new Set(), core.batch);
  const clear = (): void => ids.set(new Set());
  core.resets.push(clear);
  const set = (id: string, isReading: boolean): void => {
    const next = new Set(ids.get());
    if (isReading) next.add(id);
    else next.delete(id);
    ids.set(next);
  };
  return {
    end: (id: string): void => set(id, false),
    clear,
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
          worldOf(core),
          () => http.call('POST /channels/{type}/{id}/read', call),
          () => me.get()?.id === ownId,
        );
      } catch (error) {
        set(id, false);
        throw error;
      }
    },
    unread: {
      get: () => {
        const known = marks.get();
        if (!known) return Math.max(0, (me.get()?.unread_threads ?? 0) - ids.get().size);
        return [...known].filter(([id, { unread }]) => unread > 0 && !ids.get().has(id)).length;
      },
      subscribe: (listener: () => void) =>
        stopAll([me.subscribe(listener), marks.subscribe(listener), ids.subscribe(listener)]),
    },
  };
};

type Reading = ReturnType<typeof createReading>;

/** Keeps the inbox in step with the events. */
const follow = (core: FeatureCore, inbox: ThreadList, reading: Reading): void => {
  const { change, raise, reload, list } = inbox;
  const take = (message: Message, said?: Parameters<typeof afterReply>[2]) =>
    raise(message.parent_id ?? '', (threads) => afterReply(threads, message, said));
  followMessages(core.events.on, (held) => change((threads) => afterMessages(threads, held)));
  core.events.listen(
    leaving((cid) => {
      change((threads) => threads.filter((thread) => thread.cid !== cid));
      // A channel that is open to all can still be read.
      reload();
    }),
  );
  core.events.listen({
    'notification.added_to_channel': reload,
    'notification.thread_message_new': (event) => {
      reading.end(event.thread_id);
      take(event.message, event);
    },
    'message.new': ({ message }) => {
      if (message.parent_id === undefined) return;
      if (message.user?.id === core.me.get()?.id) take(message, {});
      else change((threads) => afterReply(threads, message));
    },
    'message.updated': ({ message: { id } }) => {
      const thread = list.get().threads.find(({ parent_message_id }) => parent_message_id === id);
      if (thread && isShort(thread)) void askQuietly(core, 'A thread', () => inbox.refresh(id));
    },
    'message.undeleted': ({ message: { parent_id } }) => void (parent_id !== undefined && reload()),
    'notification.mark_read': ({ thread_id, ...said }) => {
      if (thread_id === undefined) return;
      reading.end(thread_id);
      change((threads) => afterReading(threads, thread_id, said));
    },
    'thread.updated': ({ thread }) => change((threads) => afterUpdate(threads, thread)),
    'connection.recovered': () => {
      reading.clear();
      inbox.restart();
    },
  });
};

const createThreads = (core: FeatureCore): Threads => {
  const { http, client } = core;
  const inbox = createList(core);
  const reading = createReading(core, client.feature(unreadTotal).threads);
  follow(core, inbox, reading);
  const { list, load, loadMore, change } = inbox;
  return {
    ...{ list, load, loadMore },
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
      const known = list.get().threads.find(({ parent_message_id }) => parent_message_id === messageId);
      change((threads) => afterReading(threads, messageId, {}));
      const shown = client.channels.state(cid).get()?.threads[messageId];
      const stored = (shown && !shown.hasNewer ? shown.messages : []).filter(
        ({ status }) => status === 'sent',
      );
      const isUnread = (known?.read?.unread_messages ?? 0) > 0;
      await reading.mark({ cid, id: messageId }, isUnread, stored.at(-1)?.id);
    },
  };
};

/** The inbox of threads of a client, kept live once it is loaded. */
export const threads: Feature<Threads> = { name: 'threads', create: createThreads };
