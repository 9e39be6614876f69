import type { User } from '@parley/protocol';
import type { ChannelRead, ChannelState, ConfirmedChannel, ReadMarks } from './state.ts';

type Progress = { number: number; at: string; messageId: string | undefined };

const recentAtMost = 32;
const none: ReadMarks['recent'] = [];

export const settledMarks = (settled: ReadMarks['settled']): ReadMarks => ({ settled, recent: none });

const indexOfRecent = (recent: ReadMarks['recent'], userId: string): number => {
  for (let index = recent.length - 1; index >= 0; index -= 1)
    if (recent[index]?.user.id === userId) return index;
  return -1;
};

export const findMark = ({ marks }: Pick<ConfirmedChannel, 'marks'>, userId: string) =>
  marks.recent[indexOfRecent(marks.recent, userId)] ?? marks.settled[userId];

const merged = new WeakMap<ReadMarks, ReadMarks['settled']>();

/** All marks by user; the same object for the same marks. */
export const allMarks = (marks: ReadMarks): ChannelState['read'] => {
  if (marks.recent.length === 0) return marks.settled;
  const known = merged.get(marks);
  if (known) return known;
  const all: Record<string, ChannelRead> = { ...marks.settled };
  for (const mark of marks.recent) all[mark.user.id] = mark;
  merged.set(marks, all);
  return all;
};

export const putMark = (marks: ReadMarks, mark: ChannelRead): ReadMarks => {
  const { settled, recent } = marks;
  const index = indexOfRecent(recent, mark.user.id);
  if (index >= 0) return { settled, recent: recent.with(index, mark) };
  if (recent.length < recentAtMost) return { settled, recent: recent.toSpliced(recent.length, 0, mark) };
  return settledMarks({ ...allMarks(marks), [mark.user.id]: mark });
};

export const removeMark = (marks: ReadMarks, userId: string): ReadMarks => {
  const { [userId]: _, ...rest } = allMarks(marks);
  return settledMarks(rest);
};

/** At the same number and time the later in the log counts: a silent message moves the mark, not the number. */
const isLater = (known: ChannelRead, { at, messageId }: Progress): boolean => {
  const last = known.last_read ?? '';
  return at > last || (at === last && messageId !== undefined && messageId !== known.last_read_message_id);
};

/** A read mark only moves forward here; going back is an act of its own (mark unread). */
export const advanceRead = (
  state: Pick<ConfirmedChannel, 'marks'>,
  user: User,
  progress: Progress,
): ReadMarks => {
  const known = findMark(state, user.id);
  if (known && known.last_read_number > progress.number) return state.marks;
  if (known && known.last_read_number === progress.number && !isLater(known, progress)) return state.marks;
  const { number, at, messageId } = progress;
  return putMark(state.marks, {
    ...known,
    user,
    last_read: at,
    last_read_number: number,
    ...(messageId === undefined ? {} : { last_read_message_id: messageId }),
  });
};
