import type { User } from '@parley/protocol';
import type { ChannelRead, ChannelState, ReadMarks } from './state.ts';

type Progress = { number: number; at: string; messageId: string | undefined };

export const findMark = ({ marks }: { marks: ReadMarks }, userId: string): ChannelRead | undefined => {
  for (const mark of marks) if (mark.user.id === userId) return mark;
  return undefined;
};

const records = new WeakMap<ReadMarks, ChannelState['read']>();

/** All marks by user; the same object for the same marks. */
export const allMarks = (marks: ReadMarks): ChannelState['read'] => {
  const known = records.get(marks);
  if (known) return known;
  const all = Object.fromEntries(marks.map((mark) => [mark.user.id, mark]));
  records.set(marks, all);
  return all;
};

export const putMark = (marks: ReadMarks, mark: ChannelRead): ReadMarks => {
  const index = marks.findIndex(({ user }) => user.id === mark.user.id);
  return index < 0 ? [...marks, mark] : marks.with(index, mark);
};

export const removeMark = (marks: ReadMarks, userId: string): ReadMarks =>
  marks.filter(({ user }) => user.id !== userId);

/** At the same number and time the later in the log counts: a silent message moves the mark, not the number. */
const isLater = (known: ChannelRead, { at, messageId }: Progress): boolean => {
  const last = known.last_read ?? '';
  return at > last || (at === last && messageId !== undefined && messageId !== known.last_read_message_id);
};

/** A read mark only moves forward here; going back is an act of its own (mark unread). */
export const advanceRead = (state: { marks: ReadMarks }, user: User, progress: Progress): ReadMarks => {
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
