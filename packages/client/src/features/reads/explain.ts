import type { Message } from '@parley/protocol';
import type { ChannelState, VisibleMessage } from '../../sync/state.ts';
import { isInChannel } from '../messages/reducer.ts';
import { deliveredTo } from './selectors.ts';

/** Whether the message has reached a device of the user. */
export const isDeliveredTo = (state: ChannelState, message: Message, userId: string): boolean =>
  deliveredTo(state, message).some((user) => user.id === userId);

/** The first unread message of the window, before which the marker stands. */
export const selectFirstUnread = (state: ChannelState): VisibleMessage | undefined => {
  const own = state.read[state.ownId];
  if (!own || state.unread === 0) return undefined;
  return state.messages.find(
    (message) => countsAs(message) === 'counts' && message.number > own.last_read_number,
  );
};

export type UnreadReason = 'counts' | 'read' | 'silent' | 'thread-reply';
/** A deletion changes no numbers: what was unread stays counted. */
const countsAs = (message: Message): Exclude<UnreadReason, 'read'> => {
  if (message.silent) return 'silent';
  return isInChannel(message) ? 'counts' : 'thread-reply';
};

export type UnreadExplanation = {
  unread: number;
  lastNumber: number;
  lastReadNumber: number;
  messages: { id: string; number: number; reason: UnreadReason }[];
};

/** The loaded messages that count as unread, and the reasons why the others do not. */
export const explainUnread = (state: ChannelState): UnreadExplanation => {
  const lastReadNumber = state.read[state.ownId]?.last_read_number ?? state.lastNumber;
  const reasonOf = (message: Message): UnreadReason => {
    const reason = countsAs(message);
    return reason === 'counts' && message.number <= lastReadNumber ? 'read' : reason;
  };
  return {
    unread: state.unread,
    lastNumber: state.lastNumber,
    lastReadNumber,
    messages: state.messages
      .filter(({ status }) => status === 'sent')
      .map((message) => ({ id: message.id, number: message.number, reason: reasonOf(message) })),
  };
};
