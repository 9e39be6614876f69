import * as limits from './limit-values.ts';

export { limits };

/** Milliseconds. */
export const times = {
  httpTimeout: 3000,
  wsTimeout: 15_000,
  wsTimeoutWithFallback: 6000,
  firstFrame: 5000,
  serverHeartbeat: 30_000,
  clientHeartbeat: 25_000,
  silence: 40_000,
  longPollWait: 25_000,
  typingTimeout: 7000,
  searchDebounce: 300,
  linkPreviewDebounce: 1500,
  deliveryReport: 1000,
  readCounts: 3000,
  /** At most so often a device moves its live location, and a channel is told of those that moved. */
  locationUpdate: 3000,
  /** At most so often a poll's votes are told. */
  pollTelling: 200,
} as const;

/** WebSocket close codes of ours. */
export const closeCodes = {
  goingAway: 1001,
  tooLarge: 1009,
  badFrame: 4400,
  authentication: 4401,
  tokenExpired: 4403,
  slowConsumer: 4408,
} as const;

/** What was typed, as `$autocomplete` takes it. */
export const toPrefix = (typed: string): string => Array.from(typed).slice(0, limits.prefixLength).join('');

export const idPattern = "^[A-Za-z0-9@_.!~*'()-]{1,64}$";

/** How exactly a channel of this size tells who has read what; undefined is in full. Both sides derive it alike. */
export const fidelityOf = (
  memberCount: number,
  config: { marks_limit?: number } | undefined,
): { reads: 'counts' } | undefined =>
  memberCount > (config?.marks_limit ?? limits.marksLimit) ? { reads: 'counts' } : undefined;

/** What shows as nothing: spaces, and marks that only steer direction or join. */
const invisible = /^[\s\p{Cf}\p{Zs}]*$/u;
/** By which poll options count as the same; empty for one that shows as nothing. Both sides compare alike. */
export const pollOptionKey = (text: string): string =>
  invisible.test(text) ? '' : text.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase();
