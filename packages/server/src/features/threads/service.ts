import { invalid, ParleyError, type Thread, ThreadInputSchema, ThreadSchema } from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { checkNewLinks } from '../../access/links.ts';
import { requireOn } from '../../access/place.ts';
import { type Actor, actingUser, actorId } from '../../auth/actor.ts';
import type { MessageRow } from '../../db/rows.ts';
import type { Watcher } from '../../hub/connection.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { checkPatched } from '../../lib/check.ts';
import { applyPatch, type PatchBody, shapeOf } from '../../lib/custom.ts';
import { type PageRequest, queryPage } from '../../query/page.ts';
import type { ChannelStates } from '../channels/state.ts';
import { lockActor } from '../members/lock-actor.ts';
import type { LeaveHook } from '../members/service.ts';
import type { EraseHook, RecountHook, ReplyHook } from '../messages/hooks.ts';
import type { Hydrate } from '../messages/hydrate.ts';
import type { Messages } from '../messages/service.ts';
import { findMessages } from '../messages/store.ts';
import type { Reads } from '../reads/service.ts';
import { listUnreadThreads } from '../reads/thread-store.ts';
import { toThread, toThreadInfo } from './record.ts';
import {
  countReply,
  findThread,
  followedThreads,
  listFollowers,
  listLatestReplies,
  listOwnReads,
  renewUnreadOf,
  type ThreadRow,
  threadFields,
  updateThread,
} from './store.ts';

type Deps = {
  kernel: Kernel;
  access: Access;
  hydrate: Hydrate;
  messages: Messages;
  states: ChannelStates;
  reads: Reads;
};

const repliesShown = 3;
const shape = shapeOf(ThreadInputSchema, ThreadSchema);

/** The threads that people follow, and what is unread in them. */
export class Threads {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Part of the transaction of a reply: counts it, and notifies those who follow the thread. */
  replied: ReplyHook = async (tx, reply, parent) => {
    const { thread, own } = await countReply(tx, reply, parent);
    const { parent_id: thread_id, last_number } = thread;
    const read = { thread_id, unread_messages: 0, last_number, version: own.version };
    if (own.had_unread) this.#publishRead(tx, { userId: reply.user_id, cid: reply.cid }, read);
    if (!reply.silent) await this.#notify(tx, reply, thread, false);
  };

  /** Notifies those who follow the thread of a reply that they have not read. */
  async #notify(tx: Tx, reply: MessageRow, thread: ThreadRow, isBack: boolean): Promise<void> {
    const mayRead = await this.#deps.access.readers(tx.db);
    const all = await listFollowers(tx.db, thread, mayRead);
    const followers = all
      .filter(({ user_id, banned }) => !banned && user_id !== reply.user_id)
      .map(({ user_id }) => user_id);
    if (followers.length === 0) return;
    const [message] = await this.#deps.hydrate(tx.db, [reply]);
    const unread = await listUnreadThreads(tx.db, followers, mayRead);
    for (const userId of followers) {
      const own = unread.filter((row) => row.user_id === userId);
      const mark = own.find((row) => row.parent_id === thread.parent_id);
      // A follower who read a reply before it was deleted has nothing new when it is restored.
      if (isBack && !mark) continue;
      const fields = {
        message,
        thread_id: thread.parent_id,
        unread_messages: mark?.unread ?? 0,
        ...(mark && { last_number: mark.last_number, version: mark.version }),
        unread_threads: own.length,
      };
      tx.notify([userId], 'notification.thread_message_new', fields, reply.cid);
    }
  }

  /** Part of the transaction that deletes a reply or restores it: a thread without replies has nothing unread any more, and
   * counts again with the first that is back. */
  recounted: RecountHook = async (tx, parent, reply) => {
    if (reply.deleted_at === null) {
      const thread = parent.reply_count === 1 && !reply.silent && (await findThread(tx.db, parent.id));
      if (!thread) return;
      await renewUnreadOf(tx.db, parent.id);
      return this.#notify(tx, reply, thread, true);
    }
    if (parent.reply_count === 0) await this.emptied(tx, parent);
  };

  /** Part of the transaction by which a thread goes: with its last reply, or with its message. */
  emptied: EraseHook = async (tx, parent) => {
    const thread = await findThread(tx.db, parent.id);
    if (!thread) return;
    const followers = await listFollowers(tx.db, thread, await this.#deps.access.readers(tx.db));
    const readers = new Set(followers.map(({ user_id }) => user_id));
    // A user who left keeps a mark for the day they come back, and learns nothing of the thread until then.
    for (const { user_id: userId, ...mark } of await renewUnreadOf(tx.db, parent.id))
      if (readers.has(userId))
        this.#publishRead(
          tx,
          { userId, cid: parent.cid },
          { thread_id: parent.id, unread_messages: 0, ...mark },
        );
  };

  /** Part of the transaction by which members leave: the threads that they may no longer read count no more. */
  left: LeaveHook = async (tx, cid, userIds) => {
    const mayRead = await this.#deps.access.readers(tx.db);
    const lost = await listUnreadThreads(tx.db, userIds, (reader) => !mayRead(reader), cid);
    for (const { user_id: userId, parent_id: thread_id } of lost)
      this.#publishRead(tx, { userId, cid }, { thread_id });
  };

  #publishRead(
    tx: Tx,
    { userId, cid }: { userId: string; cid: string },
    mark: Record<string, unknown>,
  ): void {
    tx.later(() => this.#deps.reads.notify(userId, 'notification.mark_read', async () => mark, cid));
  }

  async query(actor: Actor, request: PageRequest & { watch?: boolean }, watcher: Watcher | undefined) {
    const { kernel, access } = this.#deps;
    const userId = actingUser(actor).row.id;
    if (request.watch && !watcher)
      throw invalid('connection_id', 'watch needs the connection_id of an open connection');
    const page = await queryPage(followedThreads(kernel.pools.queries, userId), request, {
      fields: threadFields,
      context: { actorId: userId },
      cursorKey: kernel.config.apiSecret,
    });
    const readable: ThreadRow[] = [];
    for (const row of page.rows) if (await access.mayRead(actor, row.cid)) readable.push(row);
    const cids = [...new Set(readable.map(({ cid }) => cid))];
    if (request.watch) await watcher?.watch(cids);
    const threads = await this.#records(actor, readable);
    // A member who was removed while the threads were read gets none of them and no further events.
    const lost = new Set<string>();
    for (const cid of cids) if (!(await access.mayRead(actor, cid))) lost.add(cid);
    await watcher?.unwatch([...lost]);
    return {
      threads: threads.filter(({ channel }) => !lost.has(channel.cid)),
      ...(page.next === undefined ? {} : { next: page.next }),
    };
  }

  async get(actor: Actor, messageId: string): Promise<Thread> {
    const { row } = await this.#find(actor, messageId);
    return this.#one(actor, row);
  }

  /** The author of the message names its thread, or who may change the messages of others. */
  async patch(actor: Actor, messageId: string, patch: PatchBody): Promise<Thread> {
    const { parent, place } = await this.#find(actor, messageId);
    requireOn(place, 'update-message', parent.user_id === actorId(actor));
    const changed = await this.#deps.kernel.writeFor(actor, async (tx) => {
      const acting = await lockActor(tx, place, actor);
      requireOn(acting.place, 'update-message', parent.user_id === actorId(actor));
      const row = await findThread(tx.db, messageId);
      if (!row) throw new ParleyError('NotFound', `No thread on ${messageId}`);
      const { known, custom } = applyPatch(patch, row.data, shape);
      const { title } = checkPatched(ThreadInputSchema, ['title'], known);
      checkNewLinks(acting.place, [row.title, row.data], [title ?? row.title, custom]);
      const next = await updateThread(tx.db, messageId, {
        ...(title === undefined ? {} : { title }),
        data: JSON.stringify(custom),
        updated_at: tx.now,
      });
      await tx.event({ cid: row.cid, type: 'thread.updated', fields: { thread: toThreadInfo(next) } });
      return next;
    });
    return this.#one(actor, changed);
  }

  async #find(actor: Actor, messageId: string) {
    const { row: parent, place } = await this.#deps.messages.see(actor, messageId);
    if (parent.parent_id !== null)
      throw invalid('message_id', 'names a reply: a thread hangs on a message, not on a reply');
    const row = await findThread(this.#deps.kernel.db, messageId);
    if (!row) throw new ParleyError('NotFound', `No thread on ${messageId}`);
    return { row, parent, place };
  }

  async #one(actor: Actor, row: ThreadRow): Promise<Thread> {
    const [thread] = await this.#records(actor, [row]);
    if (!thread) throw new ParleyError('NotFound', `No thread on ${row.parent_id}`);
    return thread;
  }

  async #records(actor: Actor, rows: ThreadRow[]): Promise<Thread[]> {
    const { kernel, access, hydrate, states } = this.#deps;
    const viewerId = actorId(actor);
    const ids = rows.map((row) => row.parent_id);
    const [parents, latest, reads] = await Promise.all([
      findMessages(kernel.db, ids),
      listLatestReplies(kernel.db, ids, repliesShown),
      listOwnReads(kernel.db, viewerId, ids),
    ]);
    const messages = await hydrate(kernel.db, [...parents, ...latest], viewerId);
    const byId = new Map(messages.map((message) => [message.id, message]));
    const threads: Thread[] = [];
    for (const row of rows) {
      const place = await access.look(actor, row.cid);
      const parent = byId.get(row.parent_id);
      if (!place || !parent) continue;
      const channel = await states.ownChannel(place.channel, place);
      const replies = messages.filter((message) => message.parent_id === row.parent_id);
      threads.push(toThread(row, { channel, parent, latest: replies, read: reads.get(row.parent_id) }));
    }
    return threads;
  }
}
