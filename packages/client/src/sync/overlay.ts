import { allMarks, findMark } from './read-state.ts';
import type { ChannelState, ConfirmedChannel } from './state.ts';

/** An operation that is on its way. It never changes confirmed state: it is applied on top, in order. */
export type PendingOp = { key: string; apply(state: ConfirmedChannel): ConfirmedChannel };

/** Nothing is unread that the own user cannot mark read. */
export const unreadOf = (state: ConfirmedChannel): number => {
  const isCounting = state.capabilities.has('read-events') && !state.membership?.invited;
  const own = isCounting && findMark(state, state.ownId);
  return own ? Math.max(0, state.lastNumber - own.last_read_number) : 0;
};

/** Most who look at a state do not look at the marks. One getter for all states: with one each no two had the same shape. */
const readOnDemand = {
  enumerable: true,
  get(this: ConfirmedChannel) {
    return allMarks(this.marks);
  },
};

export const overlay = (
  confirmed: ConfirmedChannel,
  ops: readonly PendingOp[],
  live: { seq: number; isStale: boolean },
): ChannelState => {
  const state = ops.reduce((under, op) => op.apply(under), confirmed);
  const { seq, isStale } = live;
  return Object.defineProperty(
    { ...state, seq, isStale, unread: unreadOf(state) },
    'read',
    readOnDemand,
  ) as ChannelState;
};
