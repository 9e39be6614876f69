import { ParleyError } from '@parley/client';
import { expiredWords } from './token-link.ts';

export const endedWords = 'This sign-in was ended. Ask for a new link, or sign in again.';

const words: Partial<Record<string, string>> = {
  TokenExpired: expiredWords,
  TokenNotYetValid: 'This sign-in is not valid yet. Check the clock of this device, or ask for a new link.',
  TokenRevoked: endedWords,
  AuthenticationFailed: 'The server does not know this sign-in. Ask for a new link, or sign in again.',
};

/** Why the server takes a token no longer, in words for who uses it; undefined for every other error. */
export const refusalOf = (error: Error | undefined): string | undefined =>
  error instanceof ParleyError ? words[error.name] : undefined;
