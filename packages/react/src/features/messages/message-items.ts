import type { VisibleMessage } from '@parley/client';

export type MessageItemView =
  | { kind: 'date'; key: string; at: string }
  | { kind: 'replies'; key: 'replies'; count: number }
  | { kind: 'unread'; key: 'unread'; count: number | undefined }
  | MessageView;

type MessageView = {
  kind: 'message';
  key: string;
  message: VisibleMessage;
  startsGroup: boolean;
  endsGroup: boolean;
};

/** The reader had read up to `after` when they opened the channel; `count` is of that moment, and `near` is where to load. */
export type UnreadMark = { after: number; count?: number; near?: string | { at: string } };

export type ItemOptions = {
  ownId: string | undefined;
  unread?: UnreadMark | undefined;
  /** True when the list begins with the very first message. */
  isComplete?: boolean;
  dayOf?: DayOf;
};

type DayOf = (at: string) => string;

const groupMs = 5 * 60_000;

/** Caches a day: dates are slow to compute, and most messages are of the same day as the one before. */
const createLocalDay = (): DayOf => {
  let start = Number.NaN;
  let end = Number.NaN;
  let day = '';
  return (at) => {
    const time = Date.parse(at);
    if (time >= start && time < end) return day;
    const date = new Date(time);
    day = date.toDateString();
    start = date.setHours(0, 0, 0, 0);
    end = date.setDate(date.getDate() + 1);
    return day;
  };
};

const isSpoken = ({ type }: VisibleMessage): boolean => type !== 'system' && type !== 'ephemeral';

const follows = (before: VisibleMessage, message: VisibleMessage): boolean =>
  isSpoken(before) &&
  isSpoken(message) &&
  before.user?.id === message.user?.id &&
  Date.parse(message.created_at) - Date.parse(before.created_at) < groupMs;

/** The index of the first unread message: only where the boundary itself is loaded, as older ones could be above it. */
const firstUnread = (messages: readonly VisibleMessage[], options: ItemOptions): number => {
  const { unread, ownId, isComplete } = options;
  if (unread === undefined) return -1;
  const index = messages.findIndex(
    ({ number, user, silent, status }) =>
      status === 'sent' && !silent && number > unread.after && user?.id !== ownId,
  );
  return index === 0 && !isComplete ? -1 : index;
};

/** The messages with separators between days and before the unread, and in runs of one author. */
export const messageItems = (
  messages: readonly VisibleMessage[],
  options: ItemOptions,
): readonly MessageItemView[] => {
  const dayOf = options.dayOf ?? createLocalDay();
  const unreadAt = firstUnread(messages, options);
  const items: MessageItemView[] = [];
  let before: MessageView | undefined;
  let dayBefore: string | undefined;
  for (const [index, message] of messages.entries()) {
    const day = dayOf(message.created_at);
    if (day !== dayBefore) items.push({ kind: 'date', key: `day ${day}`, at: message.created_at });
    if (index === unreadAt) items.push({ kind: 'unread', key: 'unread', count: options.unread?.count });
    const isNext =
      before !== undefined && day === dayBefore && index !== unreadAt && follows(before.message, message);
    if (isNext && before) before.endsGroup = false;
    before = { kind: 'message', key: message.id, message, startsGroup: !isNext, endsGroup: true };
    items.push(before);
    dayBefore = day;
  }
  return items;
};

/** The items of a thread: its message once the first reply is loaded, the number of replies, and the replies. */
export const threadItems = (
  parent: VisibleMessage | undefined,
  replies: readonly VisibleMessage[],
  options: ItemOptions,
): readonly MessageItemView[] => {
  const items = messageItems(replies, options);
  if (parent === undefined || !options.isComplete) return items;
  const count = Math.max(parent.reply_count, replies.length);
  return [
    ...messageItems([parent], options),
    { kind: 'replies', key: 'replies', count },
    ...withoutDay(parent, items, options),
  ];
};

/** The date of the message is above it already. */
const withoutDay = (
  parent: VisibleMessage,
  items: readonly MessageItemView[],
  { dayOf = createLocalDay() }: ItemOptions,
): readonly MessageItemView[] => {
  const [first] = items;
  return first?.kind === 'date' && dayOf(first.at) === dayOf(parent.created_at) ? items.slice(1) : items;
};
