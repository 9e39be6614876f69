import type { EventOf, ReadState } from '@parley/protocol';
import type { Core } from '../../core.ts';
import { late } from '../../load-late.ts';
import type { Unsubscribe } from '../../readable.ts';
import { askQuietly, persist, worldOf } from '../../retry.ts';
import { type PendingOp, unreadOf } from '../../sync/overlay.ts';
import { advanceRead } from '../../sync/read-state.ts';
import { during } from '../../sync/store.ts';
import { reloadChannel } from '../channels/load.ts';

type Totals = Pick<
  EventOf<'notification.mark_read'>,
  'total_unread_count' | 'unread_channels' | 'unread_threads'
>;

export const createReads = (core: Core) => {
  const { http, store, environment } = core;
  const now = () => new Date(environment.clock.now()).toISOString();
  /** The last mark of each channel: one that waits for the network is dropped for a newer one. */
  const marks = new Map<string, object>();
  const begin = (cid: string): object => {
    const mark = {};
    marks.set(cid, mark);
    return mark;
  };
  const calls = late(core, 'reads', 'markAllRead unread markUnread');
  return {
    /**
     * Marks a channel as read up to the newest message, or up to one. Nothing is sent when nothing is unread; what the network lost is sent
     * again until it is stored.
     */
    markRead: async (cid: string, messageId?: string): Promise<void> => {
      const ownId = core.ownId();
      const state = store.confirmed(cid);
      if (state && unreadOf(state) === 0 && messageId === undefined) return;
      const mine = begin(cid);
      const user = core.ownUser();
      const progress = { number: state?.lastNumber ?? 0, at: now(), messageId: state?.messages.at(-1)?.id };
      const op: PendingOp = {
        key: `read ${environment.uuid()}`,
        apply: (under) =>
          user && messageId === undefined ? { ...under, marks: advanceRead(under, user, progress) } : under,
      };
      await during(store, cid, op, async () => {
        // A repeat may come hours later: what arrived meanwhile was not read.
        const body = messageId ? { message_id: messageId } : state && { last_number: state.lastNumber };
        const { read } = await persist(
          worldOf(core),
          () => http.call('POST /channels/{type}/{id}/read', { cid, body: body ?? {} }),
          () => marks.get(cid) === mine && core.me.get()?.id === ownId,
        );
        core.confirm({ type: 'notification.mark_read', cid, read });
      });
    },
    ...calls,
    /** Unread from this message on. */
    markUnread: (cid: string, messageId: string): Promise<ReadState> => {
      begin(cid);
      return calls.markUnread(cid, messageId);
    },
  };
};

/** A channel that has become small enough for marks again: they come with a fresh snapshot. Returns its stop. */
export const followFidelity = (core: Core): Unsubscribe =>
  core.events.on('member.removed', ({ cid = '' }) => {
    const state = core.store.confirmed(cid);
    if (state?.readCounts && !state.channel.fidelity)
      void askQuietly(core, 'Marks', () => reloadChannel(core, cid));
  });

/** Keeps the totals of the own user; returns its stop. */
export const followTotals = (core: Core): Unsubscribe => {
  const take = ({ total_unread_count: unread_count, unread_channels, unread_threads }: Partial<Totals>) => {
    const me = core.me.get();
    if (!me) return;
    const given = Object.entries({ unread_count, unread_channels, unread_threads });
    core.me.set({ ...me, ...Object.fromEntries(given.filter(([, count]) => count !== undefined)) });
  };
  return core.events.listen({
    'notification.mark_read': take,
    'notification.mark_unread': take,
    'notification.thread_message_new': take,
    'notification.channel_mutes_updated': (event) => {
      take(event);
      const me = core.me.get();
      if (me) core.me.set({ ...me, channel_mutes: event.channel_mutes });
    },
  });
};
