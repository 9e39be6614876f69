import type { EventOf } from '@parley/protocol';
import type { Reducers } from '../../sync/apply.ts';
import { advanceRead } from '../../sync/read-state.ts';
import type { ChannelRead, ConfirmedChannel } from '../../sync/state.ts';

const messageRead = (state: ConfirmedChannel, event: EventOf<'message.read'>): ConfirmedChannel => {
  const progress = {
    number: event.last_read_number,
    at: event.last_read,
    messageId: event.last_read_message_id,
  };
  const read = advanceRead(state, event.user, progress);
  return read === state.read ? state : { ...state, read };
};

const messageDelivered = (state: ConfirmedChannel, event: EventOf<'message.delivered'>): ConfirmedChannel => {
  const { user, last_delivered_at, last_delivered_message_id } = event;
  const known: ChannelRead = state.read[user.id] ?? { user, last_read_number: 0 };
  if ((known.last_delivered_at ?? '') >= last_delivered_at) return state;
  const next = { ...known, last_delivered_at, last_delivered_message_id };
  return { ...state, read: { ...state.read, [user.id]: next } };
};

type OwnMark = EventOf<'notification.mark_read' | 'notification.mark_unread'>;

/** The own user's act on any device: the mark goes where they put it, and only marking unread moves it back. */
const markedByMe = (state: ConfirmedChannel, event: OwnMark): ConfirmedChannel => {
  if (!event.read) return state;
  const { unread_messages: _, ...read } = event.read;
  const known = state.read[read.user.id];
  const isLate =
    event.type === 'notification.mark_read' && (known?.last_read_number ?? 0) > read.last_read_number;
  return isLate ? state : { ...state, read: { ...state.read, [read.user.id]: read } };
};

export const readsReducers = {
  'message.read': messageRead,
  'message.delivered': messageDelivered,
  'notification.mark_read': markedByMe,
  'notification.mark_unread': markedByMe,
} satisfies Reducers;
