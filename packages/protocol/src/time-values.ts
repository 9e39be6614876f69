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
/** The shortest time between two moves of a device's live location, and between two events about them. */
export const locationUpdate = 3000;
/** The shortest time between two events about a poll's votes. */
export const pollUpdate = 200;
