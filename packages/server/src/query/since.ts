import { invalid, texts } from '@parley/protocol';
import { parseTime } from './values.ts';

/** The instant before which tokens are void, from what a caller sent: null clears, a blank string is refused. */
export const parseSince = (since: string | null, path: string): string | null => {
  if (since === null) return null;
  if (since.trim() === '') throw invalid(path, texts.blankSince);
  const time = parseTime(since);
  if (time === undefined) throw invalid(path, 'must be an RFC 3339 time or null');
  return new Date(time).toISOString();
};
