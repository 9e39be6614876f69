import type { EventOf, Message } from '@parley/protocol';
import type { Reducer, Reducers } from '../../sync/apply.ts';
import { advanceRead } from '../../sync/read-state.ts';
import type { ConfirmedChannel, LoadedThread, VisibleMessage } from '../../sync/state.ts';
import {
  appendSequenced,
  appendUnsequenced,
  findMessage,
  removeMessage,
  replaceMessage,
} from '../../sync/timeline.ts';

/** Thread replies live in their thread; those shown in the channel live in both. */
export const isInChannel = ({ parent_id, show_in_channel }: Message): boolean =>
  parent_id === undefined || show_in_channel === true;

export const changeThread = (
  state: ConfirmedChannel,
  parentId: string | undefined,
  change: (thread: LoadedThread) => LoadedThread,
): ConfirmedChannel['threads'] => {
  const thread = parentId === undefined ? undefined : state.threads[parentId];
  if (!thread || parentId === undefined) return state.threads;
  const next = change(thread);
  return next === thread ? state.threads : { ...state.threads, [parentId]: next };
};

const stopTyping = <T extends { id: string } | { user: { id: string } }>(
  typers: readonly T[],
  userId: string | undefined,
): readonly T[] =>
  typers.length === 0
    ? typers
    : typers.filter((typer) => ('user' in typer ? typer.user.id : typer.id) !== userId);

const withNumber = (state: ConfirmedChannel, message: Message): Partial<ConfirmedChannel> => {
  if (!isInChannel(message)) return {};
  const isLatest = (state.channel.last_message_at ?? '') < message.created_at;
  return {
    lastNumber: Math.max(state.lastNumber, message.number),
    channel: isLatest ? { ...state.channel, last_message_at: message.created_at } : state.channel,
  };
};

/** Who writes in the channel has read what came before; only members keep a mark. */
const readByAuthor = (state: ConfirmedChannel, message: Message): ConfirmedChannel['read'] => {
  const { user, number, created_at: at, id: messageId } = message;
  if (!user || !isInChannel(message) || !state.read[user.id]) return state.read;
  return advanceRead(state, user, { number, at, messageId });
};

/** `windowSize` bounds what is kept of each list. */
const messageNew =
  (windowSize: number): Reducer<'message.new'> =>
  (state, event) => {
    const message = event.message as VisibleMessage;
    const isReply = event.seq === undefined;
    const place = <T extends LoadedThread | ConfirmedChannel>(list: T): T =>
      isReply ? appendUnsequenced(list, message) : appendSequenced(list, message, windowSize);
    const placed = {
      ...(isInChannel(message) ? place(state) : state),
      threads: changeThread(state, message.parent_id, place),
    };
    // The numbers belong to the log: a reply that raised them would run ahead of events still on their way.
    if (isReply) return placed;
    return {
      ...placed,
      ...withNumber(state, message),
      read: readByAuthor(state, message),
      typing: stopTyping(state.typing, message.user?.id),
      threadTyping: stopTyping(state.threadTyping, message.user?.id),
    };
  };

/** For channels that are not watched: the message itself is not loaded, but it counts. */
const messageNoticed: Reducer<'notification.message_new'> = (state, event) => ({
  ...state,
  ...withNumber(state, event.message as Message),
});

const isPinned = (message: Message): boolean => message.pinned && message.type !== 'deleted';

const repin = (pinned: readonly VisibleMessage[], message: VisibleMessage): readonly VisibleMessage[] => {
  const index = pinned.findIndex((known) => known.id === message.id);
  if (isPinned(message)) return index < 0 ? [message, ...pinned] : pinned.with(index, message);
  return index < 0 ? pinned : pinned.toSpliced(index, 1);
};

/** Puts the new version of a message wherever the old one is. */
export const putMessage = (state: ConfirmedChannel, message: VisibleMessage): ConfirmedChannel => {
  const replaced = replaceMessage(state, message);
  const threads = changeThread(state, message.parent_id, (thread) => replaceMessage(thread, message));
  const known = findMessage(replaced.messages, message.id) ?? message;
  const pinned = repin(state.pinned, known);
  if (replaced === state && threads === state.threads && pinned === state.pinned) return state;
  return { ...replaced, threads, pinned };
};

export const findLoaded = (state: ConfirmedChannel, id: string): VisibleMessage | undefined => {
  const found = findMessage(state.messages, id);
  if (found) return found;
  for (const thread of Object.values(state.threads)) {
    const reply = findMessage(thread.messages, id);
    if (reply) return reply;
  }
  return findMessage(state.pinned, id);
};

/** A reply that comes after its own event says nothing new, and may be older than what followed the event. */
const isOutdated = (state: ConfirmedChannel, message: Message, seq: number | undefined): boolean => {
  const known = seq === undefined ? findLoaded(state, message.id) : undefined;
  return known !== undefined && known.updated_at >= message.updated_at;
};

const messageUpdated: Reducer<'message.updated' | 'message.undeleted'> = (state, event) => {
  const message = event.message as VisibleMessage;
  return isOutdated(state, message, event.seq) ? state : putMessage(state, message);
};

const drop = (state: ConfirmedChannel, { id, parent_id }: Message): ConfirmedChannel => {
  const { [id]: _, ...threads } = changeThread(state, parent_id, (thread) => removeMessage(thread, id));
  return {
    ...removeMessage(state, id),
    threads,
    pinned: state.pinned.filter((message) => message.id !== id),
  };
};

const messageDeleted = (state: ConfirmedChannel, event: EventOf<'message.deleted'>): ConfirmedChannel => {
  const message = event.message as VisibleMessage;
  if (event.hard_delete) return drop(state, message);
  return isOutdated(state, message, event.seq) ? state : putMessage(state, message);
};

export const createMessagesReducers = (windowSize: number) =>
  ({
    'message.new': messageNew(windowSize),
    'notification.message_new': messageNoticed,
    'message.updated': messageUpdated,
    'message.undeleted': messageUpdated,
    'message.deleted': messageDeleted,
  }) satisfies Reducers;
