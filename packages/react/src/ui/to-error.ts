/** Whatever was thrown, as an error: a library may throw a text. */
export const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));
