import { ParleyError } from '@parley/client';

/** Why a sign-in ended or was of no use, as the key of its text. */
export type SignInRefusal = 'expired' | 'incomplete' | 'ended' | 'notYetValid' | 'unknown';

const refusals: Partial<Record<string, SignInRefusal>> = {
  TokenExpired: 'expired',
  TokenNotYetValid: 'notYetValid',
  TokenRevoked: 'ended',
  AuthenticationFailed: 'unknown',
};

/** Why the server takes a token no longer; undefined for every other error. */
export const refusalOf = (error: Error | undefined): SignInRefusal | undefined =>
  error instanceof ParleyError ? refusals[error.name] : undefined;
