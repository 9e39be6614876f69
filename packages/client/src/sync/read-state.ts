import type { User } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import type { ChannelRead, ChannelState, ConfirmedChannel, ReadMarks } from './state.ts';

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

/** Of two states of the own mark the one with the later version counts, whichever came first. */
export const putOwn = (state: ConfirmedChannel, read: ChannelRead): ReadMarks => {
  const known = findMark(state, state.ownId);
  if (known && (read.version ?? 0) <= (known.version ?? 0)) return state.marks;
  // Deliveries are in the log, and come in its order.
  const { last_delivered_at, last_delivered_message_id } = known ?? {};
  const arrived = last_delivered_at ? { last_delivered_at, last_delivered_message_id } : {};
  return putMark(state.marks, { ...read, ...arrived } as ChannelRead);
};

/** The version of an own mark that an event of the log moves. */
export const versionAt = (seq = 0): number => seq * limits.marksPerEvent;

/** At the same number and time the later in the log counts: a silent message moves the mark, not the number. */
const isLater = (known: ChannelRead, { at, messageId }: Progress): boolean => {
  const last = known.last_read ?? '';
  return at > last || (at === last && messageId !== undefined && messageId !== known.last_read_message_id);
};

/** How far somebody has read, by an event of the log. The marks of others only move forward; the own one has versions. */
export const markRead = (state: ConfirmedChannel, user: User, progress: Progress, seq = 0): ReadMarks => {
  if (user.id !== state.ownId) return advanceRead(state, user, progress);
  const { number: last_read_number, at: last_read, messageId } = progress;
  const last = messageId === undefined ? {} : { last_read_message_id: messageId };
  return putOwn(state, { user, last_read, last_read_number, ...last, version: versionAt(seq) });
};

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
