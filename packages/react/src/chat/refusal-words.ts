import type { ParleyError } from '@parley/client';
import type { TextKey, Translate } from '../i18n/english.ts';

const known: Readonly<Record<string, TextKey>> = {
  NotAllowed: 'refusedNotAllowed',
  NotFound: 'refusedNotFound',
  PayloadTooLarge: 'refusedTooLong',
  RateLimited: 'refusedTooOften',
};

/** Why the server refused, in the reader's words; of what has none, the server's own. */
export const refusalWords = ({ name, message, details }: ParleyError, text: Translate): string => {
  if (name === 'CoolDown') return text('slowMode', { n: Number(details?.[0]?.message ?? 1) });
  const key = known[name];
  return key === undefined ? message : text(key);
};
