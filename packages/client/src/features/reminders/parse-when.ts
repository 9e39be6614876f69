/** Times as people type them after `/remind`, in the time zone of the device. */

/** The request in a text; `problem` says why it cannot be done. */
export type ReminderWords =
  | { at: Date; note: string }
  | { problem: 'remindNeedsTime' | 'remindPast' | 'remindTooFar' };

type Found = { at: Date; rest: string };

const minute = 60_000;
const units: Readonly<Record<string, number>> = {
  m: minute,
  h: 60 * minute,
  d: 1440 * minute,
  w: 10_080 * minute,
};
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const morning = { hours: 9, minutes: 0 };
const evening = { hours: 20, minutes: 0 };
const furthestYears = 10;

const span =
  /^(\d{1,4}(?:\.\d{1,2})?|an?|half an?)\s*(m|min|mins|minutes?|h|hrs?|hours?|d|days?|w|weeks?)(?![a-z])\s*(?:and\s+|,\s*)?/i;
const clock = /^(at\s+)?(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm)?(?![\w:.])\s*/i;

const amountOf = (word: string): number => {
  const lower = word.toLowerCase();
  if (lower.startsWith('half')) return 0.5;
  return lower.startsWith('a') ? 1 : Number(word);
};

/** "20 minutes", "1h 30m", "half an hour": as many as follow each other. */
const takeSpan = (text: string): { ms: number; rest: string } | undefined => {
  let ms = 0;
  let rest = text;
  for (let match = span.exec(rest); match; match = span.exec(rest)) {
    ms += amountOf(match[1] ?? '') * (units[(match[2] ?? '')[0]?.toLowerCase() ?? ''] ?? 0);
    rest = rest.slice(match[0].length);
  }
  return rest === text ? undefined : { ms, rest };
};

type Time = { hours: number; minutes: number };

/** A bare number is a time only after "at". */
const takeClock = (text: string): { time: Time; rest: string } | undefined => {
  const match = clock.exec(text);
  if (!match) return undefined;
  const [all, at, hour, minutes, half] = match;
  if (at === undefined && minutes === undefined && half === undefined) return undefined;
  const given = Number(hour);
  const isPm = half?.toLowerCase() === 'pm';
  const hours = half === undefined ? given : (given % 12) + (isPm ? 12 : 0);
  const isTime =
    hours < 24 && Number(minutes ?? 0) < 60 && (half === undefined || (given > 0 && given <= 12));
  return isTime
    ? { time: { hours, minutes: Number(minutes ?? 0) }, rest: text.slice(all.length) }
    : undefined;
};

const onDay = (now: Date, days: number, { hours, minutes }: Time): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hours, minutes);

/** A day word and the time after it, "tomorrow at 9:00", or the one it stands for alone. */
const dayAndTime = (day: (time: Time) => Date, rest: string, alone: Time): Found => {
  const given = takeClock(rest);
  return { at: day(given?.time ?? alone), rest: given?.rest ?? rest };
};

const daysUntil = (now: Date, weekday: number): number => ((weekday - now.getDay() + 6) % 7) + 1;

const takeDay = (text: string, now: Date): Found | undefined => {
  const word = /^(?:on\s+)?(today|tonight|tomorrow|next\s+week|(?:next\s+)?([a-z]+day))(?![a-z])\s*/i.exec(
    text,
  );
  if (!word) return undefined;
  const name = (word[1] ?? '').toLowerCase();
  const rest = text.slice(word[0].length);
  const plus = (days: number, alone = morning) => dayAndTime((time) => onDay(now, days, time), rest, alone);
  if (name === 'today' || name === 'tonight') return plus(0, evening);
  if (name === 'tomorrow') return plus(1);
  const weekday = name.endsWith('week') ? 1 : weekdays.indexOf((word[2] ?? '').toLowerCase());
  return weekday < 0 ? undefined : plus(daysUntil(now, weekday));
};

const takeDate = (text: string): Found | undefined => {
  const match = /^(?:on\s+)?(\d{4})-(\d{1,2})-(\d{1,2})(?![\d-])(?:T|\s*)/i.exec(text);
  if (!match) return undefined;
  const [all, year, month, day] = match;
  const found = dayAndTime(
    ({ hours, minutes }) => new Date(Number(year), Number(month) - 1, Number(day), hours, minutes),
    text.slice(all.length),
    morning,
  );
  const isDay = found.at.getMonth() === Number(month) - 1 && found.at.getDate() === Number(day);
  return isDay ? found : undefined;
};

const takeToday = (text: string, now: Date): Found | undefined => {
  const given = takeClock(text);
  if (!given) return undefined;
  const today = onDay(now, 0, given.time);
  return { at: today > now ? today : onDay(now, 1, given.time), rest: given.rest };
};

const takeIn = (text: string, now: Date): Found | undefined => {
  const found = takeSpan(text.replace(/^in\s+/i, ''));
  return found && { at: new Date(now.getTime() + found.ms), rest: found.rest };
};

const takeWhen = (text: string, now: Date): Found | undefined =>
  takeIn(text, now) ?? takeDate(text) ?? takeDay(text, now) ?? takeToday(text, now);

const asNote = (text: string): string => text.trim().replace(/^(?:to|about|that)\s+/i, '');

/** The time at the end: "look at the build in 20 minutes". */
const takeLast = (text: string, now: Date): { at: Date; note: string } | undefined => {
  for (const { index } of text.matchAll(/\s+/g)) {
    const end = text.slice(index).trimStart();
    const found = takeWhen(end, now);
    if (found && found.rest.trim() === '') return { at: found.at, note: asNote(text.slice(0, index)) };
  }
  return undefined;
};

/** `[me] <when> <what>`, or `[me] <what> <when>`. */
export const parseReminder = (args: string, now: Date): ReminderWords => {
  const text = args.trim().replace(/^me(?:\s+|$)/i, '');
  const first = takeWhen(text, now);
  const found = first ? { at: first.at, note: asNote(first.rest) } : takeLast(text, now);
  if (!found || Number.isNaN(found.at.getTime())) return { problem: 'remindNeedsTime' };
  if (found.at <= now) return { problem: 'remindPast' };
  const isFar = found.at.getFullYear() > now.getFullYear() + furthestYears;
  return isFar ? { problem: 'remindTooFar' } : found;
};
