const invisible = /^[\s\p{Cf}\p{DI}\u2800]*$/u;

/** True for a text without anything visible: spaces, and marks that only set the direction or join. */
export const isBlank = (text: string): boolean => invisible.test(text);
