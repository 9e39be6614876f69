const invisible = /^[\s\p{Cf}\p{DI}\u2800]*$/u;

/** Nothing that anyone would see: spaces, and marks that only steer direction or join. */
export const isBlank = (text: string): boolean => invisible.test(text);
