import type { Message } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import type { Reducer, Reducers } from '../../sync/apply.ts';
import { findMark, markRead } from '../../sync/read-state.ts';
import type {
  ChannelFacts,
  ConfirmedChannel,
  LoadedThread,
  ReadMarks,
  VisibleMessage,
} from '../../sync/state.ts';
import {
  appendSequenced,
  appendUnsequenced,
  findMessage,
  mapMessage,
  removeMessage,
  replaceMessage,
  requote,
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

/** The next message that counts shows a hidden channel again. */
const withLatest = (
  { channel, lastNumber }: ConfirmedChannel,
  message: Message,
): ConfirmedChannel['channel'] => {
  if (!isInChannel(message) || (channel.last_message_at ?? '') >= message.created_at) return channel;
  const latest = { ...channel, last_message_at: message.created_at };
  return channel.hidden && message.number > lastNumber ? { ...latest, hidden: false } : latest;
};

const numberAfter = (number: number, message: Message): number =>
  isInChannel(message) ? Math.max(number, message.number) : number;

/** An author has read the messages before their own; only members keep a mark. */
const readByAuthor = (state: ConfirmedChannel, message: Message, seq: number | undefined): ReadMarks => {
  const { user, number, created_at: at, id: messageId } = message;
  if (!user || !isInChannel(message) || !findMark(state, user.id)) return state.marks;
  return markRead(state, user, { number, at, messageId }, seq);
};

/** `windowSize` bounds what is kept of each list. */
const messageNew =
  (windowSize: number): Reducer<'message.new'> =>
  (state, event) => {
    const message = event.message;
    const isReply = event.seq === undefined;
    const place = <T extends LoadedThread | ConfirmedChannel>(list: T): T =>
      isReply ? appendUnsequenced(list, message) : appendSequenced(list, message, windowSize);
    // An event that was on its way while the own user cleared the history.
    const isGone = message.created_at <= (state.membership?.cleared_at ?? '');
    const placed = isInChannel(message) && !isGone ? place(state) : state;
    const threads = isGone ? state.threads : changeThread(state, message.parent_id, place);
    // The numbers belong to the log: a reply that raised them would run ahead of events still on their way.
    if (isReply) return { ...placed, threads };
    return {
      ...placed,
      threads,
      channel: withLatest(state, message),
      lastNumber: numberAfter(state.lastNumber, message),
      marks: readByAuthor(state, message, event.seq),
      typing: stopTyping(state.typing, message.user?.id),
      threadTyping: stopTyping(state.threadTyping, message.user?.id),
    };
  };

/** Counts a message of a channel that is not watched: the message itself is not loaded. */
const messageNoticed: Reducer<'notification.message_new'> = (state, event) => {
  const message = event.message;
  const channel = withLatest(state, message);
  const isLatest = channel !== state.channel && !message.silent;
  return {
    ...state,
    ...(isLatest && { tail: message }),
    channel,
    lastNumber: numberAfter(state.lastNumber, message),
  };
};

const isPinned = (message: Message): boolean => message.pinned && message.type !== 'deleted';

/** The list as the server has it: newest pins first, and no more than it shows. */
const repin = ({ pinned, ownId }: ConfirmedChannel, message: VisibleMessage): readonly VisibleMessage[] => {
  const known = pinned.find(({ id }) => id === message.id);
  if (!known && !isPinned(message)) return pinned;
  const others = pinned.filter((other) => other !== known);
  if (!isPinned(message)) return others;
  const own = known?.own_reactions ?? message.latest_reactions.filter(({ user_id }) => user_id === ownId);
  const at = ({ pinned_at = '' }: Message) => pinned_at;
  const older = others.findIndex(
    (other) => at(other) < at(message) || (at(other) === at(message) && other.id > message.id),
  );
  return others
    .toSpliced(older < 0 ? others.length : older, 0, {
      ...message,
      own_reactions: message.own_reactions ?? own,
    })
    .slice(0, limits.pinnedShown);
};

/** A quote is the message as everyone sees it, without what is the reader's own or a quote of its own. */
const asQuote = (message: VisibleMessage): Message => {
  const { own_reactions: _own, status: _status, quoted_message: _quoted, poll, ...quote } = message;
  if (!poll) return quote;
  const { own_votes: _, ...shared } = poll;
  return { ...quote, poll: shared };
};

/** Updates every quote of the message in all lists; `quoted` is undefined when it is gone for good. */
const withQuotes = (state: ConfirmedChannel, id: string, quoted: Message | undefined): ConfirmedChannel => {
  const messages = requote(state.messages, id, quoted);
  const pinned = requote(state.pinned, id, quoted);
  let threads = state.threads;
  for (const [parentId, thread] of Object.entries(state.threads)) {
    const replies = requote(thread.messages, id, quoted);
    if (replies !== thread.messages) threads = { ...threads, [parentId]: { ...thread, messages: replies } };
  }
  const isSame = messages === state.messages && pinned === state.pinned && threads === state.threads;
  return isSame ? state : { ...state, messages, pinned, threads };
};

/** Puts the new version of a message wherever the old one is, in quotes too. */
export const putMessage = (state: ConfirmedChannel, message: VisibleMessage): ConfirmedChannel =>
  withQuotes(replaceLoaded(state, message), message.id, asQuote(message));

const replaceLoaded = (state: ConfirmedChannel, message: VisibleMessage): ConfirmedChannel => {
  const replaced = replaceMessage(state, message);
  const threads = changeThread(state, message.parent_id, (thread) => replaceMessage(thread, message));
  const known = findMessage(replaced.messages, message.id) ?? message;
  const pinned = repin(state, known);
  if (replaced === state && threads === state.threads && pinned === state.pinned) return state;
  return { ...replaced, threads, pinned };
};

/** Changes a message in the channel and in its thread. */
export const mapLoaded = (
  state: ConfirmedChannel,
  id: string,
  change: (message: VisibleMessage) => VisibleMessage,
): ConfirmedChannel => {
  const parentId = findLoaded(state, id)?.parent_id;
  const threads = changeThread(state, parentId, (thread) => mapMessage(thread, id, change));
  return { ...mapMessage(state, id, change), threads };
};

/** The loaded message with this id, in the channel or in an open thread. */
export const findLoaded = (state: ChannelFacts, id: string): VisibleMessage | undefined => {
  const found = findMessage(state.messages, id);
  if (found) return found;
  for (const thread of Object.values(state.threads)) {
    const reply = findMessage(thread.messages, id);
    if (reply) return reply;
  }
  return findMessage(state.pinned, id);
};

const messageUpdated: Reducer<'message.updated'> = (state, event) => putMessage(state, event.message);

/** The own reactions were gone with the message; those among the newest are known at once, the rest is asked for. */
const messageUndeleted: Reducer<'message.undeleted'> = (state, event) => {
  const message = event.message;
  const own = message.latest_reactions.filter(({ user_id }) => user_id === state.ownId);
  return putMessage(state, { ...message, own_reactions: message.own_reactions ?? own });
};

const drop = (state: ConfirmedChannel, { id, parent_id }: Message): ConfirmedChannel => {
  const { [id]: _, ...threads } = changeThread(state, parent_id, (thread) => removeMessage(thread, id));
  const left = {
    ...removeMessage(state, id),
    threads,
    pinned: state.pinned.filter((message) => message.id !== id),
  };
  return withQuotes(left, id, undefined);
};

const messageDeleted: Reducer<'message.deleted'> = (state, { message, hard_delete }) =>
  hard_delete ? drop(state, message) : putMessage(state, message);

export const createMessagesReducers = (windowSize: number) =>
  ({
    'message.new': messageNew(windowSize),
    'notification.message_new': messageNoticed,
    'message.updated': messageUpdated,
    'message.undeleted': messageUndeleted,
    'message.deleted': messageDeleted,
  }) satisfies Reducers;
