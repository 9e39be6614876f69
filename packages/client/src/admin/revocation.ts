import { invalid, texts } from '@parley/protocol/errors';

/** A time, or null to lift the revocation. A blank string would look like one and mean neither. */
export type Since = string | Date | null;

export const sinceText = (since: Since): string | null => {
  if (since === null) return null;
  const time: unknown = since instanceof Date && !Number.isNaN(since.getTime()) ? since.toISOString() : since;
  if (typeof time !== 'string') throw invalid('since', 'must be a time as a Date or as text, or null');
  if (time.trim() === '') throw new Error(texts.blankSince);
  return time;
};
