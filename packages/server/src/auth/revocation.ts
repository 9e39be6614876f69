/** Whether a token was made before the instant from which on tokens are good; one that does not say when, was. */
export const isRevoked = (issued: number | undefined, before: string | null): boolean =>
  before !== null && (issued === undefined || Math.round(issued * 1000) < Date.parse(before));
