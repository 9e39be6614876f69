import { invalid, type OwnUser, ParleyError, type ReadState, type User } from '@parley/protocol';
import { type Actor, actingUser } from '../../auth/actor.ts';
import type { Kernel, Tx } from '../../kernel.ts';
import { type Access, lockChannel, type Place } from '../channels/access.ts';
import type { ChannelRow } from '../channels/record.ts';
import type { MemberRow } from '../members/record.ts';
import type { UserEntry } from '../users/cache.ts';
import { findReadTarget, listUnread, lockMember, updateMember } from './store.ts';

export type Totals = { cids: string[]; unread: number; unreadChannels: number };
export type Reads = ReturnType<typeof createReads>;

/** A member's read state. `own` shows where they themselves begin to count; others see how far they have read. */
export const toRead = (row: MemberRow, user: User, lastNumber: number, own: boolean): ReadState => {
  const number = own ? (row.unread_from ?? row.read_number) : row.read_number;
  return {
    user,
    ...(row.last_read === null ? {} : { last_read: row.last_read }),
    ...(row.last_read_message_id === null ? {} : { last_read_message_id: row.last_read_message_id }),
    last_read_number: number,
    unread_messages: Math.max(0, lastNumber - number),
    ...(row.last_delivered_at === null ? {} : { last_delivered_at: row.last_delivered_at }),
    ...(row.last_delivered_message_id === null
      ? {}
      : { last_delivered_message_id: row.last_delivered_message_id }),
  };
};

const requireMember = (place: Place): void => {
  if (!place.member)
    throw new ParleyError(
      'NotAllowed',
      `Only members mark what they have read (read-events) in ${place.channel.cid}`,
    );
  if (!place.capabilities.has('read-events'))
    throw new ParleyError('NotAllowed', `Not allowed to read-events in ${place.channel.cid}`);
};

export const createReads = (kernel: Kernel, access: Access) => {
  const totals = async (userId: string): Promise<Totals> => {
    const rows = await listUnread(kernel.db, userId);
    return {
      cids: rows.map((row) => row.cid),
      unread: rows.reduce((sum, row) => sum + row.unread, 0),
      unreadChannels: rows.filter((row) => row.unread > 0).length,
    };
  };

  const lockBoth = async (
    tx: Tx,
    cid: string,
    userId: string,
  ): Promise<{ channel: ChannelRow; member: MemberRow }> => {
    const channel = await lockChannel(tx.db, cid);
    const member = await lockMember(tx.db, cid, userId);
    if (!member)
      throw new ParleyError('NotAllowed', `Only members mark what they have read (read-events) in ${cid}`);
    return { channel, member };
  };

  const tellOwner = async (user: UserEntry, type: string, read: ReadState, cid: string): Promise<void> => {
    const { unread, unreadChannels } = await totals(user.row.id);
    kernel.tell(
      [user.row.id],
      type,
      { read, total_unread_count: unread, unread_channels: unreadChannels },
      cid,
    );
  };

  const advance = async (tx: Tx, cid: string, user: UserEntry, messageId: string | undefined) => {
    const { channel, member } = await lockBoth(tx, cid, user.row.id);
    const target = await findReadTarget(tx.db, cid, messageId);
    if (messageId !== undefined && !target) throw invalid('message_id', 'names no message of this channel');
    const number = messageId === undefined ? channel.last_number : (target?.number ?? 0);
    // A watermark: reading an older message takes nothing back, but it does end a mark-unread.
    const further = number > member.read_number || (member.last_read === null && target !== undefined);
    if (!further && member.unread_from === null) return { channel, member };
    const changed = await updateMember(tx.db, member, {
      unread_from: null,
      ...(further
        ? { read_number: number, last_read: tx.now, last_read_message_id: target?.id ?? null }
        : {}),
    });
    if (further)
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
  };

  const markRead = async (actor: Actor, cid: string, messageId: string | undefined): Promise<ReadState> => {
    const user = actingUser(actor);
    requireMember(await access.enter(actor, cid));
    const { channel, member } = await kernel.write((tx) => advance(tx, cid, user, messageId));
    const read = toRead(member, user.user, channel.last_number, true);
    await tellOwner(user, 'notification.mark_read', read, cid);
    return read;
  };

  const markUnread = async (actor: Actor, cid: string, messageId: string): Promise<ReadState> => {
    const user = actingUser(actor);
    requireMember(await access.enter(actor, cid));
    const { channel, member } = await kernel.write(async (tx) => {
      const { channel, member } = await lockBoth(tx, cid, user.row.id);
      const target = await findReadTarget(tx.db, cid, messageId);
      if (!target) throw invalid('message_id', 'names no message of this channel');
      const from = target.silent ? target.number : target.number - 1;
      return { channel, member: await updateMember(tx.db, member, { unread_from: from }) };
    });
    const read = toRead(member, user.user, channel.last_number, true);
    await tellOwner(user, 'notification.mark_unread', read, cid);
    return read;
  };

  const deliver = async (actor: Actor, cid: string, messageId: string): Promise<void> => {
    const user = actingUser(actor);
    const place = await access.look(actor, cid);
    if (!place?.member || !place.capabilities.has('delivery-events')) return;
    await kernel.write(async (tx) => {
      await lockChannel(tx.db, cid);
      const member = await lockMember(tx.db, cid, user.row.id);
      const target = await findReadTarget(tx.db, cid, messageId);
      if (!member || !target || target.number <= member.delivered_number) return;
      const at = { last_delivered_at: tx.now, last_delivered_message_id: target.id };
      await updateMember(tx.db, member, { ...at, delivered_number: target.number });
      await tx.event({ cid, type: 'message.delivered', fields: { user: user.user, ...at } });
    });
  };

  return {
    totals,
    markRead,
    markUnread,
    async markManyRead(actor: Actor, cids: string[] | undefined): Promise<string[]> {
      const user = actingUser(actor);
      const rows = await listUnread(kernel.db, user.row.id);
      const wanted = rows.filter((row) => row.unread > 0 && (cids === undefined || cids.includes(row.cid)));
      for (const row of wanted) {
        const place = await access.look(actor, row.cid);
        if (place?.member && place.capabilities.has('read-events')) await markRead(actor, row.cid, undefined);
      }
      return wanted.map((row) => row.cid);
    },
    async delivered(actor: Actor, latest: { cid: string; id: string }[]): Promise<void> {
      for (const { cid, id } of latest) await deliver(actor, cid, id);
    },
    async unread(actor: Actor) {
      const rows = await listUnread(kernel.db, actingUser(actor).row.id);
      const unread = rows.filter((row) => row.unread > 0);
      return {
        total_unread_count: unread.reduce((sum, row) => sum + row.unread, 0),
        total_unread_threads_count: 0,
        channels: unread.map((row) => ({
          channel_id: row.cid,
          unread_count: row.unread,
          ...(row.last_read === null ? {} : { last_read: row.last_read }),
        })),
        threads: [],
      };
    },
    /** The user as it sees itself. */
    ownUser: ({ user }: UserEntry, { unread, unreadChannels }: Totals): OwnUser => ({
      ...user,
      online: true,
      unread_count: unread,
      unread_channels: unreadChannels,
      unread_threads: 0,
      mutes: [],
      channel_mutes: [],
      blocked_user_ids: [],
      devices: [],
      privacy_settings: {},
    }),
  };
};
