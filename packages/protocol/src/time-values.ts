/** Milliseconds. Single values, so that a bundle holds those it uses. */
export const httpTimeout = 3000;
export const wsTimeout = 15_000;
export const wsTimeoutWithFallback = 6000;
export const firstFrame = 5000;
export const serverHeartbeat = 30_000;
export const clientHeartbeat = 25_000;
export const silence = 40_000;
export const longPollWait = 25_000;
export const typingTimeout = 7000;
export const searchDebounce = 300;
export const linkPreviewDebounce = 1500;
export const deliveryReport = 1000;
export const readCounts = 3000;
/** At most so often a device moves its live location, and a channel is told of those that moved. */
export const locationUpdate = 3000;
/** At most so often a poll's votes are told. */
export const pollTelling = 200;
