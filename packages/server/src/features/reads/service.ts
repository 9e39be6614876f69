import { fidelityOf, invalid, ParleyError, type ReadState } from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { lockChannel, type Place, requireCapability } from '../../access/place.ts';
import { type Actor, actingUser, type UserEntry } from '../../auth/actor.ts';
import type { ChannelRow, MemberRow } from '../../db/rows.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { lockMember, updateMember } from '../members/store.ts';
import type { ReadCounter } from './counts.ts';
import { createNotices, type Notices } from './notices.ts';
import { loggedMark, nextMark, type Totals, toRead } from './record.ts';
import { findReadTarget, listUnread } from './store.ts';
import { listUnreadThreads } from './thread-store.ts';
import { readThread, type ThreadReading } from './threads.ts';

type LockedRows = { channel: ChannelRow; member: MemberRow };
type OwnNotice = 'notification.mark_read' | 'notification.mark_unread';

const membersOnly = (cid: string): ParleyError =>
  new ParleyError('NotAllowed', `Only members mark what they have read (read-events) in ${cid}`);

const requireMember = (place: Place): void => {
  if (!place.member) throw membersOnly(place.channel.cid);
  requireCapability(place, 'read-events');
};

const lockBoth = async (tx: Tx, cid: string, userId: string): Promise<LockedRows> => {
  const channel = await lockChannel(tx.db, cid);
  const member = await lockMember(tx.db, cid, userId);
  if (!member) throw membersOnly(cid);
  return { channel, member };
};

/** Up to where a channel is read: to a message, no further than a number, or to its end. */
export type ReadUpTo = { messageId?: string | undefined; lastNumber?: number | undefined };

const findTarget = async (tx: Tx, cid: string, { messageId, lastNumber }: ReadUpTo) => {
  const target = await findReadTarget(tx.db, cid, messageId, lastNumber);
  if (messageId !== undefined && !target) throw invalid('message_id', 'names no message of this channel');
  return target;
};

/** How far people have read, and how far messages have come to them. */
export class Reads {
  #kernel: Kernel;
  #access: Access;

  #counter: ReadCounter;
  #notify: Notices;

  constructor(kernel: Kernel, access: Access, counter: ReadCounter) {
    this.#kernel = kernel;
    this.#access = access;
    this.#counter = counter;
    this.#notify = createNotices(kernel, async (userId) => {
      const { unread, unreadChannels, unreadThreads } = await this.totals(userId);
      return {
        total_unread_count: unread,
        unread_channels: unreadChannels,
        unread_threads: unreadThreads,
      };
    });
  }

  /** Publishes what a user did, with their totals of then. */
  notify(userId: string, type: string, read: () => Promise<Record<string, unknown>>, cid?: string): void {
    this.#notify(userId, { type, read, ...(cid === undefined ? {} : { cid }) });
  }

  async totals(userId: string): Promise<Totals> {
    const { counted, uncounted, threads } = await this.#standing(userId);
    const loud = counted.filter((row) => row.unread > 0 && !row.muted && !row.hidden);
    return {
      cids: [...counted, ...uncounted].map((row) => row.cid),
      unread: loud.reduce((sum, row) => sum + row.unread, 0),
      unreadChannels: loud.length,
      unreadThreads: threads.length,
    };
  }

  /** Every number that is shown can be cleared: messages count only for those who read the channel and may mark them read. */
  async #standing(userId: string) {
    const { db } = this.#kernel;
    const [mayRead, mayMark] = await Promise.all([
      this.#access.readers(db),
      this.#access.readers(db, 'read-events'),
    ]);
    const [rows, threads] = await Promise.all([
      listUnread(db, userId, this.#kernel.now()),
      listUnreadThreads(db, [userId], mayRead),
    ]);
    const counts = (row: (typeof rows)[number]): boolean =>
      mayRead(row) && mayMark(row) && !row.banned && !row.invited;
    return { threads, counted: rows.filter(counts), uncounted: rows.filter((row) => !counts(row)) };
  }

  async markRead(actor: Actor, cid: string, upTo: ReadUpTo): Promise<ReadState> {
    const user = actingUser(actor);
    const place = await this.#access.enter(actor, cid);
    requireMember(place);
    return this.#kernel.writeFor(actor, async (tx) =>
      this.#notifyOwner(tx, user, 'notification.mark_read', await this.#advance(tx, place, user, upTo)),
    );
  }

  /** A thread, to a reply or to its end: the channel's own count stays. */
  async markThreadRead(actor: Actor, cid: string, reading: ThreadReading): Promise<ReadState> {
    const user = actingUser(actor);
    const place = await this.#access.enter(actor, cid);
    return this.#kernel.writeFor(actor, async (tx) => {
      const { read, last_number } = await readThread(tx, place, user, reading);
      const { unread_messages, version } = read;
      const fields = { thread_id: reading.threadId, unread_messages, last_number, version };
      const notice = { type: 'notification.mark_read', read: () => fields, cid };
      tx.later(() => this.#notify(user.row.id, notice));
      return read;
    });
  }

  async markUnread(actor: Actor, cid: string, messageId: string): Promise<ReadState> {
    const user = actingUser(actor);
    requireMember(await this.#access.enter(actor, cid));
    return this.#kernel.writeFor(actor, async (tx) => {
      const { channel, member } = await lockBoth(tx, cid, user.row.id);
      const target = await findTarget(tx, cid, { messageId });
      if (!target || target.created_at <= (member.cleared_at ?? ''))
        throw invalid('message_id', 'names no message of this channel');
      const from = target.silent ? target.number : target.number - 1;
      const read_version = nextMark(channel, member);
      const marked = await updateMember(tx.db, member, { unread_from: from, read_version });
      return this.#notifyOwner(tx, user, 'notification.mark_unread', { channel, member: marked });
    });
  }

  async markManyRead(
    actor: Actor,
    cids: string[] | undefined,
  ): Promise<{ cids: string[]; marks: { cid: string; read: ReadState }[] }> {
    const user = actingUser(actor);
    const rows = await listUnread(this.#kernel.db, user.row.id, this.#kernel.now());
    const wanted = rows.filter((row) => row.unread > 0 && (cids === undefined || cids.includes(row.cid)));
    const marks: { cid: string; read: ReadState }[] = [];
    for (const { cid } of wanted) {
      const place = await this.#access.look(actor, cid);
      if (!place?.member || !place.capabilities.has('read-events')) continue;
      marks.push({ cid, read: await this.markRead(actor, cid, {}) });
    }
    return { cids: marks.map(({ cid }) => cid), marks };
  }

  async delivered(actor: Actor, latest: { cid: string; id: string }[]): Promise<void> {
    for (const { cid, id } of latest) await this.#deliver(actor, cid, id);
  }

  async unread(actor: Actor) {
    const { id } = actingUser(actor).row;
    const { counted, uncounted, threads } = await this.#standing(id);
    const unread = counted.filter((row) => row.unread > 0);
    return {
      total_unread_count: unread.reduce((sum, row) => sum + (row.muted || row.hidden ? 0 : row.unread), 0),
      total_unread_threads_count: threads.length,
      channels: unread.map((row) => ({
        channel_id: row.cid,
        unread_count: row.unread,
        last_read_number: row.from,
        version: row.version,
        ...(row.hidden && { hidden: true }),
        ...(row.archived && { archived: true }),
        ...(row.last_read === null ? {} : { last_read: row.last_read }),
      })),
      uncounted: uncounted.filter((row) => !row.unbegun).map((row) => row.cid),
      threads: threads.map((row) => ({
        parent_message_id: row.parent_id,
        cid: row.cid,
        unread_count: row.unread,
        last_number: row.last_number,
        version: row.version,
        ...(row.last_read === null ? {} : { last_read: row.last_read }),
      })),
    };
  }

  async #advance(
    tx: Tx,
    { channel: { cid }, type }: Place,
    user: UserEntry,
    upTo: ReadUpTo,
  ): Promise<LockedRows> {
    const { channel, member } = await lockBoth(tx, cid, user.row.id);
    const target = await findTarget(tx, cid, upTo);
    const { messageId, lastNumber = channel.last_number } = upTo;
    const number =
      messageId === undefined ? Math.min(lastNumber, channel.last_number) : (target?.number ?? 0);
    // A watermark: reading an older message takes nothing back, but it does end a mark-unread.
    const further = number > member.read_number || (member.last_read === null && target !== undefined);
    if (!further && member.unread_from === null) return { channel, member };
    const isLogged = further && !fidelityOf(channel.member_count, type.config);
    const changed = await updateMember(tx.db, member, {
      unread_from: null,
      read_version: isLogged ? loggedMark(channel.seq + 1) : nextMark(channel, member),
      ...(further
        ? { read_number: number, last_read: tx.now, last_read_message_id: target?.id ?? null }
        : {}),
    });
    if (further && !isLogged) tx.later(() => this.#counter.touch(cid));
    if (isLogged)
      await tx.event({
        cid,
        type: 'message.read',
        fields: {
          user: user.user,
          last_read: tx.now,
          ...(target ? { last_read_message_id: target.id } : {}),
          last_read_number: number,
        },
      });
    return { channel, member: changed };
  }

  async #deliver(actor: Actor, cid: string, messageId: string): Promise<void> {
    const user = actingUser(actor);
    const place = await this.#access.look(actor, cid);
    if (!place?.member || !place.capabilities.has('delivery-events')) return;
    await this.#kernel.write(async (tx) => {
      const channel = await lockChannel(tx.db, cid);
      const member = await lockMember(tx.db, cid, user.row.id);
      const target = await findReadTarget(tx.db, cid, messageId);
      if (!member || !target || target.number <= member.delivered_number) return;
      const at = { last_delivered_at: tx.now, last_delivered_message_id: target.id };
      await updateMember(tx.db, member, { ...at, delivered_number: target.number });
      if (fidelityOf(channel.member_count, place.type.config)) tx.later(() => this.#counter.touch(cid));
      else await tx.event({ cid, type: 'message.delivered', fields: { user: user.user, ...at } });
    });
  }

  #notifyOwner(tx: Tx, user: UserEntry, type: OwnNotice, { channel, member }: LockedRows): ReadState {
    const read = toRead(member, user.user, channel.last_number, true);
    tx.later(() => this.#notify(user.row.id, { type, read: () => ({ read }), cid: channel.cid }));
    return read;
  }
}
