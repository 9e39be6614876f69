/** WebSocket close codes of ours. Single values, so that a bundle holds those it uses. */
export const goingAway = 1001;
export const tooLarge = 1009;
export const authentication = 4401;
export const tokenExpired = 4403;
export const slowConsumer = 4408;
export const tooMany = 4429;
