import * as closeCodes from './close-code-values.ts';
import * as limits from './limit-values.ts';
import * as times from './time-values.ts';

export { closeCodes, limits, times };

/** The typed text, as `$autocomplete` takes it. */
export const toPrefix = (typed: string): string => Array.from(typed).slice(0, limits.prefixLength).join('');

/** Ids that a caller chooses. A URL folds "." and ".." away, so nothing of that name could be addressed. */
export const idPattern = "^(?!\\.{1,2}$)[A-Za-z0-9@_.!~*'()-]{1,64}$";

/** How exactly a channel of this size shows who has read what; undefined is in full. Both sides derive it alike. */
export const fidelityOf = (
  memberCount: number,
  config: { marks_limit?: number } | undefined,
): { reads: 'counts' } | undefined =>
  memberCount > (config?.marks_limit ?? limits.marksLimit) ? { reads: 'counts' } : undefined;

/** Characters that show as nothing: spaces, and marks that only steer direction or join. */
const invisible = /^[\s\p{Cf}\p{Zs}]*$/u;
/** The text by which poll options count as the same; empty for one that shows as nothing. Both sides compare alike. */
export const pollOptionKey = (text: string): string =>
  invisible.test(text) ? '' : text.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase();
