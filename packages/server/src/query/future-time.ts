import { invalid } from '@parley/protocol';
import { parseTime } from './values.ts';

/** A time that is still to come, with milliseconds; anything else is refused by the name of its field. */
export const futureTime = (text: string, path: string, now: string): string => {
  const parsed = parseTime(text);
  if (parsed === undefined)
    throw invalid(path, `${path} must be an RFC 3339 time such as 2026-01-31T12:00:00.000Z`);
  const time = new Date(parsed).toISOString();
  if (time <= now) throw invalid(path, `${path} must be in the future`);
  return time;
};
