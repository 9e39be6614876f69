import { allMarks, findMark } from './read-state.ts';
import type { ChannelState, ConfirmedChannel } from './state.ts';

/** An operation that is on its way. It never changes what is confirmed: it is laid over it, in order. */
export type PendingOp = { key: string; apply(state: ConfirmedChannel): ConfirmedChannel };

export const unreadOf = (state: ConfirmedChannel): number => {
  const own = findMark(state, state.ownId);
  return own ? Math.max(0, state.lastNumber - own.last_read_number) : 0;
};

export const overlay = (
  confirmed: ConfirmedChannel,
  ops: readonly PendingOp[],
  live: { seq: number; isStale: boolean },
): ChannelState => {
  const state = ops.reduce((under, op) => op.apply(under), confirmed);
  const { marks, ...facts } = state;
  return {
    ...facts,
    ...live,
    read: allMarks(marks),
    unread: unreadOf(state),
  };
};
