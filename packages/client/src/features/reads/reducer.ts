import type { EventOf } from '@parley/protocol';
import type { Reducers } from '../../sync/apply.ts';
import { findMark, markRead, putMark, putOwn } from '../../sync/read-state.ts';
import type { ChannelRead, ConfirmedChannel } from '../../sync/state.ts';

const messageRead = (state: ConfirmedChannel, event: EventOf<'message.read'>): ConfirmedChannel => {
  const progress = {
    number: event.last_read_number,
    at: event.last_read,
    messageId: event.last_read_message_id,
  };
  const marks = markRead(state, event.user, progress, event.seq);
  return marks === state.marks ? state : { ...state, marks };
};

const messageDelivered = (state: ConfirmedChannel, event: EventOf<'message.delivered'>): ConfirmedChannel => {
  const { user, last_delivered_at, last_delivered_message_id } = event;
  const known: ChannelRead = findMark(state, user.id) ?? { user, last_read_number: 0 };
  // The log says what is later, not the time: two reports may have the same, or have taken it before they waited their turn.
  return {
    ...state,
    marks: putMark(state.marks, { ...known, last_delivered_at, last_delivered_message_id }),
  };
};

type OwnMark = EventOf<'notification.mark_read' | 'notification.mark_unread'>;

/** The own user's act on any device, or a reply that says where the mark stands. */
const markedByMe = (state: ConfirmedChannel, event: OwnMark): ConfirmedChannel => {
  if (!event.read) return state;
  const { unread_messages: _, ...read } = event.read;
  return { ...state, marks: putOwn(state, read) };
};

/** Counts take the place of the marks of others, which stand still from here on. */
const counted = (state: ConfirmedChannel, event: EventOf<'channel.read_counts'>): ConfirmedChannel => {
  const own = findMark(state, state.ownId);
  const marks = state.channel.fidelity ? (own ? [own] : []) : state.marks;
  return { ...state, readCounts: event.read_counts, marks };
};

export const readsReducers = {
  'channel.read_counts': counted,
  'message.read': messageRead,
  'message.delivered': messageDelivered,
  'notification.mark_read': markedByMe,
  'notification.mark_unread': markedByMe,
} satisfies Reducers;
