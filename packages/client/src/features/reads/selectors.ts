import type { Message, User } from '@parley/protocol';
import type { ChannelState, VisibleMessage } from '../../sync/state.ts';
import { isInChannel } from '../messages/reducer.ts';

type Reading = Pick<ChannelState, 'read' | 'ownId'>;

const others = ({ read, ownId }: Reading, message: Message) =>
  Object.values(read).filter(({ user }) => user.id !== ownId && user.id !== message.user?.id);

/** Who, apart from the author and the own user, has read up to the message. */
export const seenBy = (state: Reading, message: Message): User[] =>
  others(state, message)
    .filter(({ last_read_number, last_read = '' }) =>
      message.silent ? last_read >= message.created_at : last_read_number >= message.number,
    )
    .map(({ user }) => user);

export const deliveredTo = (state: Reading, message: Message): User[] =>
  others(state, message)
    .filter(
      ({ last_delivered_at = '', last_read_number }) =>
        last_delivered_at >= message.created_at || last_read_number >= message.number,
    )
    .map(({ user }) => user);

export const isDeliveredTo = (state: Reading, message: Message, userId: string): boolean =>
  deliveredTo(state, message).some((user) => user.id === userId);

/** How many have read a message and how many it has reached, without its author; where marks are counts. */
export const countMarks = (
  { readCounts }: Pick<ChannelState, 'readCounts'>,
  message: Message,
): { read: number; delivered: number; of: number } | undefined => {
  if (!readCounts) return undefined;
  const reached = (steps: readonly { number: number; count: number }[]) =>
    Math.max(
      0,
      steps.reduce((sum, { number, count }) => sum + (number >= message.number ? count : 0), 0) - 1,
    );
  const { read, delivered, member_count } = readCounts;
  return { read: reached(read), delivered: reached(delivered), of: member_count - 1 };
};

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

/** Which loaded messages count as unread, and why the others do not. */
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
