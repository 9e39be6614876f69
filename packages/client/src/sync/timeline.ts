/** Pure functions over the window of a message list. Searches run from the end: what changes is mostly new. */
import type { Message } from '@parley/protocol';
import type { Timeline, VisibleMessage } from './state.ts';

type Messages = readonly VisibleMessage[];

/** Dropping a few at a time keeps a full window from being cut on every message. */
const slack = (cap: number): number => Math.ceil(cap / 10);

/** Ten times as fast as `concat` with one element, and the copy has no spare room. */
const append = (messages: Messages, message: VisibleMessage): Messages =>
  messages.toSpliced(messages.length, 0, message);

const indexOfMessage = (messages: Messages, id: string): number => {
  for (let index = messages.length - 1; index >= 0; index -= 1) if (messages[index]?.id === id) return index;
  return -1;
};

export const findMessage = (messages: Messages, id: string): VisibleMessage | undefined =>
  messages[indexOfMessage(messages, id)];

/** The same for the own votes in the poll of a message. */
const keepOwnVotes = (next: VisibleMessage, { poll: known }: VisibleMessage): VisibleMessage =>
  next.poll && !next.poll.own_votes && known?.own_votes
    ? { ...next, poll: { ...next.poll, own_votes: known.own_votes } }
    : next;

/** A broadcast never holds the own reactions: those that are known stay; a tombstone has none. */
const keepOwn = (arrived: VisibleMessage, known: VisibleMessage): VisibleMessage => {
  const next = keepOwnVotes(arrived, known);
  if (next.own_reactions !== undefined) return next;
  const own = next.type === 'deleted' ? [] : known.own_reactions;
  return own === undefined ? next : { ...next, own_reactions: own };
};

export const mapMessage = <T extends Timeline>(
  timeline: T,
  id: string,
  change: (message: VisibleMessage) => VisibleMessage,
): T => {
  const { tail, messages } = timeline;
  const under = tail?.id === id ? { ...timeline, tail: change(tail) } : timeline;
  const index = indexOfMessage(messages, id);
  const known = messages[index];
  const next = known && change(known);
  return next === known || !next ? under : { ...under, messages: messages.with(index, next) };
};

export const replaceMessage = <T extends Timeline>(timeline: T, message: VisibleMessage): T =>
  mapMessage(timeline, message.id, (known) => keepOwn(message, known));

/** Gives every quote of the message its new version, or only its id when there is none. */
export const requote = (messages: Messages, id: string, quoted: Message | undefined): Messages => {
  if (!messages.some((message) => message.quoted_message_id === id)) return messages;
  return messages.map((message) => {
    if (message.quoted_message_id !== id) return message;
    const { quoted_message: _, ...rest } = message;
    return quoted ? { ...rest, quoted_message: quoted } : rest;
  });
};

export const removeMessage = <T extends Timeline>(timeline: T, id: string): T => {
  const { tail, passed } = timeline;
  const isUnder = tail?.id === id || passed?.id === id;
  const under = isUnder
    ? {
        ...timeline,
        tail: tail?.id === id ? undefined : tail,
        passed: passed?.id === id ? undefined : passed,
      }
    : timeline;
  const index = indexOfMessage(timeline.messages, id);
  if (index < 0) return under;
  const isUnsequenced = index >= timeline.messages.length - timeline.unsequenced;
  return {
    ...under,
    messages: timeline.messages.toSpliced(index, 1),
    unsequenced: timeline.unsequenced - (isUnsequenced ? 1 : 0),
  };
};

/** Lets the oldest go where there are more than `count`. */
export const keepNewest = <T extends Timeline>(timeline: T, count: number): T =>
  timeline.messages.length <= count
    ? timeline
    : { ...timeline, messages: timeline.messages.slice(-count), hasOlder: true };

const trimOldest = <T extends Timeline>(timeline: T, cap: number): T =>
  timeline.messages.length <= cap ? timeline : keepNewest(timeline, cap - slack(cap));

/** The last message of the channel, for a window that moves away from it. */
const tailOf = ({ tail, messages, hasNewer }: Timeline): VisibleMessage | undefined =>
  hasNewer ? tail : messages.findLast(({ silent }) => !silent);

const trimNewest = <T extends Timeline>(timeline: T, cap: number): T => {
  if (timeline.messages.length <= cap) return timeline;
  const messages = timeline.messages.slice(0, cap);
  return { ...timeline, messages, unsequenced: 0, hasNewer: true, tail: tailOf(timeline) };
};

/** A reply of the server, ahead of its event: last until the event says where it belongs. */
export const appendUnsequenced = <T extends Timeline>(timeline: T, message: VisibleMessage): T => {
  if (timeline.hasNewer || indexOfMessage(timeline.messages, message.id) >= 0) return timeline;
  const messages = append(timeline.messages, message);
  return { ...timeline, messages, unsequenced: timeline.unsequenced + 1 };
};

/** The next message of the log. */
export const appendSequenced = <T extends Timeline>(timeline: T, message: VisibleMessage, cap: number): T => {
  if (timeline.hasNewer) {
    const replaced = replaceMessage(timeline, message);
    if (replaced !== timeline) return replaced;
    return { ...timeline, passed: message, ...(message.silent ? {} : { tail: message }) };
  }
  const { messages, unsequenced, hasOlder } = timeline;
  // A page that was loaded ahead of the log begins after it.
  if (hasOlder && message.created_at < (messages[0]?.created_at ?? '')) return timeline;
  const ordered = messages.length - unsequenced;
  // Times rise along the list, so a later message than the last cannot be in it: most appends look no further.
  const isLast = unsequenced === 0 && message.created_at > (messages.at(-1)?.created_at ?? '');
  const index = isLast ? -1 : indexOfMessage(messages, message.id);
  const known = messages[index];
  // A page that was loaded ahead of the log already holds it.
  if (known && index < ordered) return replaceMessage(timeline, message);
  const rest = known ? messages.toSpliced(index, 1) : messages;
  return trimOldest(
    {
      ...timeline,
      messages: rest.toSpliced(ordered, 0, known ? keepOwn(message, known) : message),
      tail: undefined,
      unsequenced: unsequenced - (known ? 1 : 0),
    },
    cap,
  );
};

const withoutKnown = (page: Messages, known: Messages): VisibleMessage[] => {
  const ids = new Set(known.map((message) => message.id));
  return page.filter((message) => !ids.has(message.id));
};

export const prependPage = <T extends Timeline>(
  timeline: T,
  page: Messages,
  { hasOlder, cap }: { hasOlder: boolean; cap: number },
): T =>
  trimNewest(
    { ...timeline, messages: withoutKnown(page, timeline.messages).concat(timeline.messages), hasOlder },
    cap,
  );

/** Whether a page of the end was read before the last message came. */
export const isBehind = (page: Messages, { passed }: Timeline): boolean =>
  passed !== undefined &&
  passed.created_at >= (page.at(-1)?.created_at ?? '') &&
  indexOfMessage(page, passed.id) < 0;

/** The fields of a window about newer messages outside it. */
export const endOf = (
  timeline: Timeline,
  hasNewer: boolean,
): Pick<Timeline, 'hasNewer' | 'tail' | 'passed'> =>
  hasNewer
    ? { hasNewer, tail: tailOf(timeline), passed: timeline.passed }
    : { hasNewer, tail: undefined, passed: undefined };

export const appendPage = <T extends Timeline>(
  timeline: T,
  page: Messages,
  { hasNewer, cap }: { hasNewer: boolean; cap: number },
): T => {
  const messages = timeline.messages.concat(withoutKnown(page, timeline.messages));
  // Nothing newer in the page is an answer in itself: what was passed over may be gone since.
  const goesOn = hasNewer || (page.length > 0 && isBehind(messages, timeline));
  return trimOldest({ ...timeline, messages, ...endOf(timeline, goesOn) }, cap);
};
