import type { ChannelState, VisibleMessage } from '@parley/client';
import { countMarks, deliveredTo, seenBy } from '@parley/client/reads';
import { personOf } from '../channels/channel-view.ts';
import type { ReadMarksProps } from './read-marks.tsx';

const isMarkable = (message: VisibleMessage, ownId: string): boolean =>
  message.user?.id === ownId &&
  message.status === 'sent' &&
  (message.type === 'regular' || message.type === 'reply');

/** The newest own message: the one that carries the marks. */
export const markedMessage = ({ messages, ownId, channel }: ChannelState): VisibleMessage | undefined =>
  channel.config?.read_events === false
    ? undefined
    : messages.findLast((message) => isMarkable(message, ownId));

export const marksOf = (state: ChannelState, message: VisibleMessage): ReadMarksProps => {
  const counts = countMarks(state, message);
  if (counts) {
    const { read, delivered, of } = counts;
    if (read > 0) return { state: 'read', count: { n: read, of } };
    return delivered > 0 ? { state: 'delivered', count: { n: delivered, of } } : { state: 'sent' };
  }
  const readers = seenBy(state, message);
  if (readers.length > 0) {
    return { state: 'read', ...(state.channel.member_count > 2 && { seenBy: readers.map(personOf) }) };
  }
  return { state: deliveredTo(state, message).length > 0 ? 'delivered' : 'sent' };
};
