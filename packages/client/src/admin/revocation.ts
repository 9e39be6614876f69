import { texts } from '@parley/protocol/errors';

/** A time, or null to lift the revocation. A blank string would look like one and mean neither. */
export type Since = string | Date | null;

export const sinceText = (since: Since): string | null => {
  if (since instanceof Date) return since.toISOString();
  if (since !== null && since.trim() === '') throw new Error(texts.blankSince);
  return since;
};
